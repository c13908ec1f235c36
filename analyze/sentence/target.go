package sentence

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// target is one target of an effect. It may be in several environments.
type target struct {
	// kind is the kind under which the target is counted, name its name in a sentence about it alone.
	kind, namespace, name string
	details               []detail
	environments          map[string]bool
	// kept are the changes whose edits also reach targets that keep their values.
	kept map[*change.Compared]bool
	// guards is true if protection is lost, certain if the effect is certain, away if the target is
	// not in the input.
	guards, certain, away bool
	// sections are those that an effect concerns, of how many. whole is true if it concerns the object itself.
	sections map[string]bool
	of       int
	whole    bool
}

// spoken names the target, with its section if that is the only one of several.
func (t *target) spoken() string {
	if !t.whole && len(t.sections) == 1 && t.of > 1 {
		for section := range t.sections {
			return t.name + "#" + section
		}
	}
	return t.name
}

// concern records which part of an object an effect concerns.
func (t *target) concern(of *plan.Target, own bool) {
	if !own || of.Target.Section == "" {
		t.whole = true
		return
	}
	if t.sections == nil {
		t.sections = map[string]bool{}
	}
	t.sections[of.Target.Section] = true
	t.of = max(t.of, of.Sections)
}

// detail is what an effect concerns: a setting with the values that it had and has, or other words.
type detail struct {
	kind *catalogue.Kind
	// item is the policy that has the setting, if several policies of a kind take effect side by side. Without a
	// path, the whole of it is meant.
	item   string
	path   string
	values string
	words  string
	// environments are those in which the effect includes this detail.
	environments map[string]bool
}

func (d detail) same(other detail) bool {
	return d.kind == other.kind && d.item == other.item && d.path == other.path && d.words == other.words
}

// key is equal for targets that share a sentence.
func (t *target) key() string {
	slices.SortFunc(t.details, func(a, b detail) int { return strings.Compare(a.String(), b.String()) })
	return fmt.Sprint(t.details, t.certain, t.away)
}

// parts splits a target by environment, so that a detail is reported only for the environments that have it.
func (t *target) parts() []*target {
	of := map[string]*target{}
	for _, d := range t.details {
		key := strings.Join(slices.Sorted(maps.Keys(d.environments)), "\x00")
		if of[key] == nil {
			part := *t
			part.details, part.environments = nil, d.environments
			of[key] = &part
		}
		of[key].details = append(of[key].details, d)
	}
	if len(of) < 2 {
		return []*target{t}
	}
	var out []*target
	for _, key := range slices.Sorted(maps.Keys(of)) {
		out = append(out, of[key])
	}
	return out
}

// String identifies a detail.
func (d detail) String() string {
	kind := ""
	if d.kind != nil {
		kind = d.kind.String()
	}
	return d.item + "\x00" + d.path + "\x00" + kind + "\x00" + d.words
}

func (s *Sentences) put(e effect, environment string, c *change.Compared, d detail, guards bool) {
	if s.effects[e] == nil {
		s.effects[e] = map[string]*target{}
	}
	for i := range c.Targets {
		of := &c.Targets[i]
		for _, named := range counted(c, of) {
			t := s.effects[e][named.node]
			if t == nil {
				t = &target{kind: named.kind, namespace: of.Target.Namespace, name: nameIn(c, e, named.name), environments: map[string]bool{}, kept: map[*change.Compared]bool{}, away: of.NotInInput}
				s.effects[e][named.node] = t
			}
			t.environments[environment] = true
			t.guards = t.guards || guards
			t.certain = t.certain || (of.Certain || of.NotInInput) && !s.unbuilt[environment]
			t.concern(of, named.node == objectOf(of) && e != relabelled)
			t.mention(environment, d)
			if len(c.Causes) > 1 && e != gains {
				continue // which of the edits does not reach them is not known
			}
			if len(c.Kept) > 0 {
				t.kept[c] = true
			}
		}
	}
}

// nameIn returns what a target is called: for one that is renamed, the name that it had.
func nameIn(c *change.Compared, e effect, name string) string {
	if e == renamed && len(c.Fields) == 1 {
		return loader.Spoken(fmt.Sprint(c.Fields[0].Before))
	}
	return name
}

// mention adds a detail. If a setting is added with different values, the sentence names none of them.
func (t *target) mention(environment string, d detail) {
	if d.item == "" && d.path == "" && d.words == "" && d.values == "" {
		return
	}
	i := slices.IndexFunc(t.details, d.same)
	if i >= 0 {
		t.details[i].environments[environment] = true
	}
	switch {
	case i < 0:
		d.environments = map[string]bool{environment: true}
		t.details = append(t.details, d)
	case t.details[i].values == d.values:
	case t.details[i].values == "" && strings.HasPrefix(d.values, " ("), d.values == "" && strings.HasPrefix(t.details[i].values, " ("):
		t.details[i].values = cmp.Or(d.values, t.details[i].values) // the addresses are in another field of the setting
	default:
		t.details[i].values = ""
	}
}

// node is the object or part that a target counts as.
type node struct{ node, kind, name string }

// counted returns what a target of a change counts as: a part of an object that comes or goes, an
// object that comes or goes as its own kind (a removed Service is not a removed route), or else the
// routes on its contexts.
func counted(c *change.Compared, t *plan.Target) []node {
	own := t.Target
	object := strings.TrimPrefix(own.Namespace+"/"+own.Name, "/")
	comes := c.Kind == plan.Added || c.Kind == plan.Removed
	switch {
	case c.PolicyKind == nil && own.Section != "" && comes:
		part, name := plan.SectionNoun(own.Kind), own.Section
		if loader.IsRoute(own.Kind) {
			name = strings.TrimSuffix(strings.TrimPrefix(name, "rule["), "]")
		}
		name = strings.ToUpper(part[:1]) + part[1:] + " " + name
		return []node{{object + "#" + own.Section, own.Kind + " " + part, name + " of " + own.Kind + " " + object}}
	case c.PolicyKind == nil && (own.Kind == "Service" && c.Kind == plan.FieldChange || comes || c.Kind == plan.Renamed):
		return []node{{own.Kind + "/" + object, own.Kind, own.Kind + " " + object}}
	}
	var out []node
	for _, name := range Counted(t) {
		out = append(out, node{name, loader.KindOf(name), loader.Spoken(name)})
	}
	return out
}

// Counted returns the objects as which a target counts: the routes on its contexts, at or above it,
// else its own object.
func Counted(t *plan.Target) []string {
	if hierarchy.LevelOf(t.Target.Group, t.Target.Kind) == hierarchy.LevelRoute {
		return []string{objectOf(t)}
	}
	var routes []string
	for _, context := range t.Contexts {
		for _, node := range context {
			if node, _, isSection := strings.Cut(node, "#"); !isSection && loader.IsRoute(loader.KindOf(node)) {
				routes = append(routes, node)
			}
		}
	}
	if len(routes) == 0 {
		return []string{objectOf(t)}
	}
	return routes
}

// objectOf returns the node of the object of a target.
func objectOf(t *plan.Target) string {
	return t.Target.ID().String()
}
