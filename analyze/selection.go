package analyze

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

// ParseSelection reads a selection; an empty one selects everything.
func ParseSelection(text string) (Selection, error) {
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

// Selectable lists the objects of a snapshot that a Selection may name: those of Gateway API, Services,
// Namespaces, workloads and policies; or policies only.
func Selectable(s *loader.Snapshot, o Options, policies bool) []loader.ID {
	table := o.Table(s)
	var out []loader.ID
	for _, env := range s.Environments {
		for _, object := range env.Objects {
			id := object.ID
			target := id.Group == loader.GatewayGroup || id.Group == loader.ExperimentalGroup || id.Group == "" && (id.Kind == "Service" || id.Kind == "Namespace")
			if table.Kind(id.Group, id.Kind) != nil || target && !policies {
				out = append(out, id)
			}
		}
		for _, workload := range env.Workloads {
			if !policies {
				out = append(out, workload.ID)
			}
		}
	}
	slices.SortFunc(out, loader.ID.Compare)
	return slices.Compact(out)
}

// Empty reports whether everything is selected.
func (s Selection) Empty() bool { return s == Selection{} }

func (s Selection) matchesKind(group, kind string) bool {
	if s.kind == "" {
		return true
	}
	kind = strings.ToLower(kind)
	same := kind == s.kind || kind+"s" == s.kind || kind+"es" == s.kind || strings.TrimSuffix(kind, "y")+"ies" == s.kind
	return same && (s.group == "" || s.group == group)
}

func (s Selection) matches(t hierarchy.Target) bool {
	return s.matchesKind(t.Group, t.Kind) &&
		(s.name == "" || s.name == t.Name) &&
		(s.namespace == "" || s.namespace == t.Namespace) &&
		(s.section == "" || s.section == t.Section)
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

// Find reports whether a selection matches something in a snapshot. If not, hint says what exists
// instead.
func (s Selection) Find(snapshot *loader.Snapshot, o Options) (hint string, ok bool) {
	object := s
	object.section = ""
	kinds := map[string]bool{}
	var sameKind []string
	var graphs []*hierarchy.Graph
	var environments []*loader.Environment
	for _, env := range snapshot.Environments {
		env, g := o.graph(env, o.alone(snapshot))
		environments, graphs = append(environments, env), append(graphs, g)
	}
	for _, env := range environments {
		for _, obj := range slices.Concat(env.Objects, env.Workloads) {
			if object.matches(hierarchy.Target{ID: obj.ID}) {
				return s.findSection(graphs)
			}
			if s.matchesKind(obj.ID.Group, obj.ID.Kind) {
				sameKind = append(sameKind, obj.ID.String())
			}
			kinds[obj.ID.Kind] = true
		}
	}
	for _, env := range environments {
		if slices.ContainsFunc(env.Placed, func(p loader.Placed) bool { return object.matches(hierarchy.Target{ID: p.Object}) }) {
			return "", true
		}
	}
	if s.matchesKind("", "Namespace") || s.matchesKind(loader.GatewayGroup, "GatewayClass") || s.referredTo(graphs) {
		return "", true // it exists without a manifest
	}
	if len(sameKind) > 0 {
		slices.Sort(sameKind)
		return "of that kind there are " + few(slices.Compact(sameKind)), false
	}
	if named := s.named(environments); len(named) > 0 {
		return "write the kind before the name: " + few(named), false
	}
	return "kinds in the input are " + few(slices.Sorted(maps.Keys(kinds))), false
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
	object := s
	object.section = ""
	var sections []string
	for _, g := range graphs {
		for _, n := range g.Nodes {
			switch {
			case s.matches(n.Target):
				return "", true
			case n.Target.Section != "" && (n.Level == hierarchy.LevelListener || n.Level == hierarchy.LevelRule) && object.matches(n.Target):
				sections = append(sections, n.Target.Section)
			}
		}
	}
	if len(sections) == 0 {
		return "", true
	}
	slices.Sort(sections)
	return "its sections are " + few(slices.Compact(sections)), false
}

// referredTo reports whether a selection matches a placeholder: something that manifests refer to
// but do not declare.
func (s Selection) referredTo(graphs []*hierarchy.Graph) bool {
	object := s
	object.section = ""
	for _, g := range graphs {
		if slices.ContainsFunc(g.Nodes, func(n *hierarchy.Node) bool { return object.matches(n.Target) }) {
			return true
		}
	}
	return false
}

// few joins at most six words.
func few(words []string) string { return spelling.AtMost(6, words) }
