// Package catalogue holds the kinds of policies as data: the embedded entries, those of the
// configuration, kinds derived from CRDs and objects in the input, and what is compiled from
// them: levels, allowed targets, how policies merge, which one wins (GEP-713).
package catalogue

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
)

// Class is the GEP's classification of a policy kind.
type Class string

// The classes of policy kinds (GEP-713, Classes of policies).
const (
	Direct    Class = "Direct"
	Inherited Class = "Inherited"
)

// Origin is the source of the information about a kind, the most reliable first.
type Origin string

// The origins of a kind. The last two are assumptions and are shown as such.
const (
	FromConfig    Origin = "config"
	FromCatalogue Origin = "catalogue"
	FromCRD       Origin = "crd"
	FromObject    Origin = "object"
)

const (
	lessSpecific = "less-specific"
	moreSpecific = "more-specific"
)

// Level is a level of a kind's own hierarchy: one of the graph's levels, or what
// stands right above or below the node at one.
type Level struct {
	Level hierarchy.Level
	Part  Part
}

// Part is the position of a place relative to the node at its level.
type Part uint8

// The parts: the node itself, the Namespace that contains it, the root namespace, whose policies
// reach every Namespace, and a filter of the rule or listener that names the policy.
const (
	Own Part = iota
	OfNamespace
	OfRoot
	Filter
)

// Parts are all parts, from the least to the most specific.
var Parts = [...]Part{OfRoot, OfNamespace, Own, Filter}

// levelWords are the levels as the catalogue writes them.
var levelWords = map[string]Level{
	"GatewayClass":          {Level: hierarchy.LevelGatewayClass},
	"Gateway":               {Level: hierarchy.LevelGateway},
	"Gateway:listener":      {Level: hierarchy.LevelListener},
	"ListenerSet":           {Level: hierarchy.LevelListenerSet},
	"ListenerSet:listener":  {Level: hierarchy.LevelListener},
	"Frontend":              {Level: hierarchy.LevelFrontend},
	"Frontend:port":         {Level: hierarchy.LevelFrontendPort},
	"Route":                 {Level: hierarchy.LevelRoute},
	"Route:rule":            {Level: hierarchy.LevelRule},
	"Backend":               {Level: hierarchy.LevelBackend},
	"Backend:port":          {Level: hierarchy.LevelPort},
	"Namespace@Gateway":     {hierarchy.LevelGateway, OfNamespace},
	"Namespace@ListenerSet": {hierarchy.LevelListenerSet, OfNamespace},
	"Namespace@Frontend":    {hierarchy.LevelFrontend, OfNamespace},
	"Namespace@Route":       {hierarchy.LevelRoute, OfNamespace},
	"Namespace@Backend":     {hierarchy.LevelBackend, OfNamespace},
	// An object outside the hierarchy, such as a mesh's own description of a port.
	"Outside":           {Level: hierarchy.LevelOutside},
	"Namespace@Outside": {hierarchy.LevelOutside, OfNamespace},
	"Root@Gateway":      {hierarchy.LevelGateway, OfRoot},
	"Root@Backend":      {hierarchy.LevelBackend, OfRoot},
	// A filter of a rule that names the policy (HTTPRouteFilter.extensionRef).
	"ExtensionRef": {hierarchy.LevelRule, Filter},
	// A filter of a listener that names the policy (ListenerFilter.extensionRef).
	"ExtensionRef@listener": {hierarchy.LevelListener, Filter},
	// ControllerConfig is above every other level and never appears in manifests.
	"ControllerConfig": {Level: hierarchy.LevelOutside},
}

// Kind is a policy kind, ready for the engine.
type Kind struct {
	Entry
	Merging
	Origin Origin
	// Notes list what was assumed about the kind.
	Notes []string

	places    map[Level]bool
	effective []hierarchy.Level
	allowed   []allowance
	// Dwellers are kinds outside the hierarchy whose objects policies on a Namespace reach.
	Dwellers []GroupKind
	// selecting are targets that only select pods.
	selecting []GroupKind
	// Form defines how specs of the kind become trees.
	Form merge.Form
	// Defaults are the values that the API server sets.
	Defaults FilledIn
}

type allowance struct {
	group, kind string
	// section means that a sectionName is allowed, root that only policies of the root namespace
	// may target the kind.
	section, root bool
}

// String is KIND.GROUP.
func (k *Kind) String() string { return strings.TrimSuffix(k.Entry.Kind+"."+k.Group, ".") }

// Name is the kind's name without its group.
func (k *Kind) Name() string { return k.Entry.Kind }

// Class is Direct where an entry says so, else Inherited.
func (k *Kind) Class() Class {
	if Class(k.Entry.Class) == Direct {
		return Direct
	}
	return Inherited
}

// Assumed reports whether the kind's semantics are the GEP's defaults, because no entry
// describes them.
func (k *Kind) Assumed() bool { return k.Origin == FromCRD || k.Origin == FromObject }

// Has reports whether the kind has a level. Kinds without listed levels have all
// of them.
func (k *Kind) Has(p Level) bool { return len(k.places) == 0 || k.places[p] }

// EffectiveLevels are the levels whose targets the kind augments, most
// specific last; none means the declared target itself.
func (k *Kind) EffectiveLevels() []hierarchy.Level { return k.effective }

// compile prepares an entry for the engine.
func compile(e Entry, groups map[string]string, origin Origin) *Kind {
	k := &Kind{Entry: e, Merging: compileMerging(&e), Origin: origin, places: map[Level]bool{}}
	for _, word := range e.Levels {
		k.places[levelWords[word]] = true
	}
	for _, word := range e.Effective {
		if level := levelWords[word].Level; !slices.Contains(k.effective, level) {
			k.effective = append(k.effective, level)
		}
	}
	for _, text := range e.Target.Allowed {
		k.allowed = append(k.allowed, readAllowance(text, groups))
	}
	for _, text := range e.Target.Reaches {
		a := readAllowance(text, groups)
		k.Dwellers = append(k.Dwellers, GroupKind{a.group, a.kind})
	}
	for _, text := range e.Target.Selecting {
		a := readAllowance(text, groups)
		k.selecting = append(k.selecting, GroupKind{a.group, a.kind})
	}
	for _, l := range e.Merge.Lists {
		k.Form.Lists = append(k.Form.Lists, merge.List{Path: l.Path, Key: l.Key, Concat: l.Concat, Slot: l.Slot})
	}
	k.Protects = eachProtection(e.Protects)
	k.Programs = eachPath(e.Programs, func(p *Program) *string { return &p.Path })
	k.Answers = eachPath(e.Answers, func(a *AnswerEntry) *string { return &a.Path })
	k.Defaults = compileDefaults(e.Spec.Defaults)
	k.Draws = compileDraws(e.Draws, groups)
	k.Public, k.Secret = eachAlternative(e.Public), eachAlternative(e.Secret)
	for _, unit := range e.Merge.Units {
		if named, ok := strings.CutSuffix(unit, ".*"); ok {
			k.Named = append(k.Named, named)
		}
	}
	k.Form.Typed, k.Form.Kept, k.Form.Accumulate = e.Spec.Typed, e.Spec.Kept, e.Merge.Accumulate
	if k.Way == OlderDialect {
		k.Form.Whole = e.Merge.Units
	}
	return k
}

func eachProtection(protections []Protection) []Protection {
	return Nested(eachPath(protections, func(p *Protection) *string { return &p.Path }))
}

// Nested returns rows with the closest protection around each, which another row has.
func Nested(rows []Protection) []Protection {
	parents := map[string]bool{} // paths, true if each item there is a way in of its own
	for _, p := range rows {
		if _, known := parents[p.Path]; !known && (p.Loosens == Removed || p.Loosens == Gone || isAlternative(p)) {
			parents[p.Path] = isAlternative(p)
		}
	}
	for i := range rows {
		for around := outer(rows[i].Path); around != ""; around = outer(around) {
			if alternative, holds := parents[around]; holds && len(around) > len(rows[i].Within) {
				rows[i].Within, rows[i].Alternative = around, alternative
				break
			}
		}
	}
	return rows
}

// outer returns a path without its last word, "" if it has one.
func outer(path string) string { return path[:max(0, strings.LastIndexByte(path, '.'))] }

// isAlternative reports whether each item of a list or map is a way in of its own.
func isAlternative(p Protection) bool { return p.Loosens == Added && strings.HasSuffix(p.Path, ".*") }

// eachPath returns a row for each of the paths that the paths of rows stand for.
func eachPath[T any](rows []T, path func(*T) *string) []T {
	var out []T
	for _, row := range rows {
		for _, one := range alternatives(*path(&row)) {
			*path(&row) = one
			out = append(out, row)
		}
	}
	return out
}

// alternatives expands a path with {A,B} in it into one path for each word.
func alternatives(path string) []string {
	before, rest, open := strings.Cut(path, "{")
	words, after, closed := strings.Cut(rest, "}")
	if !open || !closed {
		return []string{path}
	}
	var out []string
	for word := range strings.SplitSeq(words, ",") {
		out = append(out, alternatives(before+word+after)...)
	}
	return out
}

func eachAlternative(paths []string) []string {
	var out []string
	for _, path := range paths {
		out = append(out, alternatives(path)...)
	}
	return out
}

// readAllowance reads GROUP/KIND[:section][@scope][?condition]. Conditions are for readers and
// are ignored.
func readAllowance(text string, groups map[string]string) allowance {
	text, _, _ = strings.Cut(text, "?")
	text, scope, _ := strings.Cut(text, "@")
	object, _, hasSection := strings.Cut(text, ":")
	group, kind, ok := strings.Cut(object, "/")
	if !ok {
		return allowance{kind: object, section: true}
	}
	if full, known := groups[group]; known {
		group = full
	}
	return allowance{group: group, kind: kind, section: hasSection, root: scope == "root"}
}

// Targets are the kinds that an entry allows as targets, as GROUP/KIND, without wildcards.
func (e *Entry) Targets(groups map[string]string) []string {
	var out []string
	for _, text := range e.Target.Allowed {
		if a := readAllowance(text, groups); a.kind != "*" {
			out = append(out, a.group+"/"+a.kind)
		}
	}
	return out
}

// Allows reports whether a kind may be targeted, and whether with a section.
func (k *Kind) Allows(group, kind string) (target, section bool) {
	if len(k.allowed) == 0 {
		return true, true
	}
	for _, a := range k.allowed {
		if a.kind == "*" || a.kind == kind && a.group == group {
			target, section = true, section || a.section
		}
	}
	return target, section
}

// GroupsOf are the groups in which a kind has targets of a name; none if it may target anything.
func GroupsOf(k *Kind, name string) []string {
	var out []string
	for _, a := range k.allowed {
		if a.kind == name {
			out = append(out, a.group)
		}
	}
	return out
}

// RootOnly reports whether only policies of the root namespace may target a kind.
func (k *Kind) RootOnly(group, kind string) bool {
	return slices.ContainsFunc(k.allowed, func(a allowance) bool { return a.root && a.group == group && a.kind == kind })
}

// Discloses are the paths of secret and of public values. A nil kind has none.
func (k *Kind) Discloses() *Secrecy {
	if k == nil {
		return &Secrecy{}
	}
	return &k.Secrecy
}

// Reaches reports whether policies on a Namespace reach a node outside the hierarchy.
func (k *Kind) Reaches(n *hierarchy.Node) bool {
	return slices.Contains(k.Dwellers, GroupKind{n.Target.Group, n.Target.Kind})
}

// OnlySelects reports whether a target of this kind only selects pods, which remain when it goes.
func (k *Kind) OnlySelects(group, kind string) bool {
	return slices.Contains(k.selecting, GroupKind{group, kind})
}

// Silent reports whether the controller writes no conditions for the kind's policies.
func (k *Kind) Silent() bool { return k.Status["none"] != "" }

// TellsEnforcement reports whether the kind's controller writes a condition for how much of a
// policy is in force.
func (k *Kind) TellsEnforcement() bool { return k.Status["enforced"] != "" }

// PointedAt reports whether other objects refer to the kind's policies, instead of policies
// naming their targets, or in addition to that.
func (k *Kind) PointedAt() bool {
	return k.Target.Via != "" || slices.ContainsFunc(k.Target.Refs, func(r RefEntry) bool {
		return r.Form == ExtensionRef || r.Form == ReverseAnnotation
	})
}

// OnlyWithTLS reports whether a field does nothing at a listener without TLS. The path is that of a protecting
// field: /tls/minVersion.
func (k *Kind) OnlyWithTLS(path string) bool {
	return slices.ContainsFunc(k.CheckedWithTLS, func(field string) bool {
		field = Pointer(field)
		return path == field || strings.HasPrefix(path, field+"/")
	})
}
