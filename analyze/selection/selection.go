// Package selection reads and matches the objects that users name on the command line.
package selection

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// Selection is the object for which a command lists results, in the notation of kubectl and the
// reports: KIND, KIND/NAME or KIND/NAMESPACE/NAME, with #SECTION. The kind may be in any case,
// plural or short.
type Selection struct {
	kind, group, namespace, name, section string
}

// shortNames are kubectl's short names of the kinds in the hierarchy.
var shortNames = map[string]string{
	"gtw": "gateway", "gc": "gatewayclass", "svc": "service", "ns": "namespace", "lset": "listenerset",
}

// Parse reads a selection; an empty one selects everything.
func Parse(text string) (Selection, error) {
	var s Selection
	object, section, _ := strings.Cut(text, "#")
	s.section = section
	parts := strings.Split(object, "/")
	if len(parts) > 3 || slices.Contains(parts[1:], "") {
		return s, fmt.Errorf("%q names no object; write KIND, KIND/NAME or KIND/NAMESPACE/NAME", text)
	}
	s.kind, s.group, _ = strings.Cut(strings.ToLower(parts[0]), ".")
	if long, ok := shortNames[s.kind]; ok {
		s.kind = long
	}
	switch len(parts) {
	case 2:
		s.name = parts[1]
	case 3:
		s.namespace, s.name = parts[1], parts[2]
	}
	return s, nil
}

// Empty reports whether everything is selected.
func (s Selection) Empty() bool { return s == Selection{} }

// Object returns the selection without its section.
func (s Selection) Object() Selection {
	s.section = ""
	return s
}

// Section returns the section that is selected; it is empty if none is.
func (s Selection) Section() string { return s.section }

// Kind returns the selected kind in lower case, as the user wrote it or for its short name; it may be empty.
func (s Selection) Kind() string { return s.kind }

// Name returns the selected name; it may be empty.
func (s Selection) Name() string { return s.name }

// MatchesKind reports whether a kind is the selected one.
func (s Selection) MatchesKind(group, kind string) bool {
	if s.kind == "" {
		return true
	}
	kind = strings.ToLower(kind)
	same := kind == s.kind || kind+"s" == s.kind || kind+"es" == s.kind || strings.TrimSuffix(kind, "y")+"ies" == s.kind
	return same && (s.group == "" || s.group == group)
}

// Matches reports whether a target is selected.
func (s Selection) Matches(t hierarchy.Target) bool {
	return s.MatchesKind(t.Group, t.Kind) &&
		(s.name == "" || s.name == t.Name) &&
		(s.namespace == "" || s.namespace == t.Namespace) &&
		(s.section == "" || s.section == t.Section)
}

// IsNamespace reports whether a selection that names a kind is this Namespace.
func (s Selection) IsNamespace(name string) bool {
	return s.kind != "" && s.Matches(hierarchy.Target{ID: loader.ID{Kind: "Namespace", Name: name}})
}

// String returns the selection as the user wrote it, with the kind in lower case.
func (s Selection) String() string {
	text := s.kind
	if s.group != "" {
		text += "." + s.group
	}
	for _, part := range []string{s.namespace, s.name} {
		if part != "" {
			text += "/" + part
		}
	}
	if s.section != "" {
		text += "#" + s.section
	}
	return text
}

// Find reports whether a selection matches something in some environments with their graphs. If not, hint says what exists
// instead.
func (s Selection) Find(environments []*loader.Environment, graphs []*hierarchy.Graph) (hint string, ok bool) {
	object := s.Object()
	kinds := map[string]bool{}
	var sameKind []string
	for _, env := range environments {
		for _, obj := range slices.Concat(env.Objects, env.Workloads) {
			if object.Matches(hierarchy.Target{ID: obj.ID}) {
				return s.findSection(graphs)
			}
			if s.MatchesKind(obj.ID.Group, obj.ID.Kind) {
				sameKind = append(sameKind, obj.ID.String())
			}
			kinds[obj.ID.Kind] = true
		}
	}
	for _, env := range environments {
		if slices.ContainsFunc(env.Placed, func(p loader.Placed) bool { return object.Matches(hierarchy.Target{ID: p.Object}) }) {
			return "", true
		}
	}
	if s.kind != "" && s.name != "" && s.MatchesKind("", "Namespace") && !s.referredTo(graphs) {
		return s.findNamespace(environments)
	}
	if s.MatchesKind("", "Namespace") || s.MatchesKind(loader.GatewayGroup, "GatewayClass") || s.referredTo(graphs) {
		return "", true // it exists without a manifest
	}
	if len(sameKind) > 0 {
		slices.Sort(sameKind)
		if meant := spelling.Similar(object.String(), lower(sameKind)); meant != "" {
			return "did you mean " + meant + "?", false
		}
		return "of that kind there are " + spelling.Few(slices.Compact(sameKind)), false
	}
	if named := s.named(environments); len(named) > 0 {
		return "write the kind before the name: " + spelling.Few(named), false
	}
	names := slices.Sorted(maps.Keys(kinds))
	if meant := spelling.Nearest(s.kind, lower(names)); meant != "" {
		return "did you mean the kind " + meant + "?", false
	}
	return "kinds in the input are " + spelling.Few(names), false
}

// lower returns names with their kinds as users write them, and without API groups.
func lower(names []string) []string {
	var out []string
	for _, name := range names {
		kind, rest, found := strings.Cut(name, "/")
		kind, _, _ = strings.Cut(kind, ".")
		if kind = strings.ToLower(kind); found {
			kind += "/" + rest
		}
		out = append(out, kind)
	}
	return out
}

// named returns the objects that have the name that stands where a kind is wanted.
func (s Selection) named(environments []*loader.Environment) []string {
	var out []string
	for _, env := range environments {
		for _, o := range slices.Concat(env.Objects, env.Workloads) {
			if s.name == "" && strings.EqualFold(o.ID.Name, s.kind) {
				out = append(out, strings.ToLower(o.ID.Kind)+strings.TrimPrefix(o.ID.String(), kindAndGroup(o.ID)))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func kindAndGroup(id loader.ID) string {
	node := id.String()
	return node[:strings.IndexByte(node, '/')]
}

// findSection reports whether a selected object has the section, and if not, which sections it has.
// Backends are not checked, because they may have ports that the input does not show.
func (s Selection) findSection(graphs []*hierarchy.Graph) (hint string, ok bool) {
	if s.section == "" {
		return "", true
	}
	object := s.Object()
	var sections []string
	for _, g := range graphs {
		for _, n := range g.Nodes {
			switch {
			case s.Matches(n.Target):
				return "", true
			case n.Target.Section != "" && (n.Level == hierarchy.LevelListener || n.Level == hierarchy.LevelRule) && object.Matches(n.Target):
				sections = append(sections, n.Target.Section)
			}
		}
	}
	if len(sections) == 0 {
		return "", true
	}
	slices.Sort(sections)
	return "its sections are " + spelling.Few(slices.Compact(sections)), false
}

// referredTo reports whether a selection matches a placeholder: something that manifests refer to
// but do not declare.
func (s Selection) referredTo(graphs []*hierarchy.Graph) bool {
	object := s.Object()
	for _, g := range graphs {
		if slices.ContainsFunc(g.Nodes, func(n *hierarchy.Node) bool { return object.Matches(n.Target) }) {
			return true
		}
	}
	return false
}

// findNamespace reports whether the selected Namespace may exist without a manifest: an object is in it, or its name is no slip
// of one that has objects. Objects that are not read may be in it.
func (s Selection) findNamespace(environments []*loader.Environment) (hint string, ok bool) {
	var names []string
	for _, env := range environments {
		for _, obj := range slices.Concat(env.Objects, env.Workloads) {
			if s.IsNamespace(obj.ID.Namespace) {
				return "", true
			}
			names = append(names, obj.ID.Namespace)
		}
	}
	if near := spelling.Similar(s.name, names); near != "" {
		return "did you mean " + s.kind + "/" + near + "?", false
	}
	return "", true
}
