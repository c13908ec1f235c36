package catalogue

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/feature"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/refusal"
	"github.com/gwplan/gwplan/analyze/settle"
)

// The words that the fields of an entry allow.
var (
	forms     = []string{"one", "list", "selectors", Parents, NameOrLabels, WorkloadSelector, ExtensionRef, ReverseAnnotation, HostForm}
	protected = []string{"authentication", "authorisation", "tls", "limits", "headers", "exposure"}
)

// Forms of target references that have a special reader.
const (
	NameOrLabels      = "name-or-labels"
	Parents           = "parents"
	WorkloadSelector  = "workload-selector"
	ExtensionRef      = "extension-ref"
	ReverseAnnotation = "reverse-annotation"
	HostForm          = "host"
)

// word is one word of an entry, with its field and the words that the field allows.
type word struct {
	field, text string
	set         []string
}

// check compares the words of an entry with the allowed ones, so that a typo is an error instead
// of a policy that silently merges in another way.
func (e *Entry) check() error {
	if e.Kind == "" {
		return fmt.Errorf("has no kind; name the policy kind")
	}
	for _, w := range e.words() {
		if !slices.Contains(w.set, w.text) {
			return fmt.Errorf("%s: unknown word %q; use one of %s", w.field, w.text, strings.Join(w.set, ", "))
		}
	}
	if e.Merge.Levels.Direction == FromMode && e.Merge.Levels.Mode == nil {
		return fmt.Errorf("merge.levels.direction: from-mode needs merge.levels.mode, which names the field that decides which policy wins")
	}
	for _, key := range e.Order {
		word := strings.TrimPrefix(key, "-")
		if !slices.Contains([]string{"creationTimestamp", "namespace", "name"}, word) && !strings.HasPrefix(word, "spec.") && !strings.HasPrefix(word, "annotation:") {
			return fmt.Errorf("order: unknown word %q; use creationTimestamp, namespace, name, spec.FIELD or annotation:NAME", key)
		}
	}
	for _, path := range e.patterns() {
		for _, written := range alternatives(path) {
			if strings.ContainsAny(written, "{}") {
				return fmt.Errorf("%s: braces cannot be nested; write two paths", path)
			}
		}
	}
	for _, y := range e.Merge.Yields {
		ways := 0
		for _, given := range []bool{y.To != "", len(y.Own) > 0, y.Filter != ""} {
			if given {
				ways++
			}
		}
		if ways != 1 {
			return fmt.Errorf("merge.yields: %s needs exactly one of to, own and filter", y.Path)
		}
	}
	for path, value := range e.Spec.Defaults {
		switch value.(type) {
		case string, bool, float64:
		default:
			return fmt.Errorf("spec.defaults: %s is not a scalar; give a string, a number or a boolean", path)
		}
	}
	for _, d := range e.Draws {
		if err := d.check(); err != nil {
			return err
		}
	}
	for _, p := range e.Programs {
		if p.Path == "" || p.Is == "" {
			return fmt.Errorf("programs: an item has no path or does not say what is there; add path (the field) and is (such as a Lua program)")
		}
	}
	for _, n := range e.Names {
		if n.Field == "" || n.Of == "" || n.Then == "" {
			return fmt.Errorf("names: an item lacks a part; add field (what holds the names), of (the entries) and then (what happens without one)")
		}
	}
	for _, l := range slices.Concat(e.Levels, e.Effective, e.Merge.Same.First) {
		if _, ok := levelWords[l]; !ok {
			return fmt.Errorf("levels: unknown level %q; use one of %s", l, strings.Join(slices.Sorted(maps.Keys(levelWords)), ", "))
		}
	}
	return nil
}

func (d *DrawEntry) check() error {
	if d.Path == "" || len(d.Kinds) == 0 {
		return fmt.Errorf("draws: an item has no path or no kinds; add path (where the references are) and kinds (what they name)")
	}
	for _, word := range d.Kinds {
		if !strings.Contains(word, "/") {
			return fmt.Errorf("draws: %q is no kind; write GROUP/KIND, core for the group of Kubernetes itself", word)
		}
	}
	fields := d.Fields
	if len(fields) == 0 {
		fields = []string{"spec"}
	}
	for _, p := range d.Protects {
		if top, _, _ := strings.Cut(p.Path, "."); !slices.Contains(fields, top) {
			return fmt.Errorf("draws: the path %s is outside the fields of this item; begin it with %s", p.Path, strings.Join(fields, " or "))
		}
	}
	return nil
}

// patterns are the paths that may have alternatives in braces.
func (e *Entry) patterns() []string {
	out := slices.Concat(e.Public, e.Secret, slices.Collect(maps.Keys(e.Spec.Defaults)))
	for _, p := range e.Protects {
		out = append(out, p.Path)
	}
	for _, p := range e.Programs {
		out = append(out, p.Path)
	}
	for _, a := range e.Answers {
		out = append(out, a.Path)
	}
	for _, d := range e.Draws {
		out = slices.Concat(out, []string{d.Path}, d.Public, d.Secret)
		for _, p := range d.Protects {
			out = append(out, p.Path)
		}
	}
	return out
}

func (e *Entry) words() []word {
	known := algorithms()
	words := []word{
		{"class", e.Class, []string{"", string(Direct), string(Inherited)}},
		{"judged", e.Judged, []string{"", "all", "merges"}},
		{"ancestors", e.Ancestors, []string{"", "target", "routed"}},
		{"target.namespace", string(e.Target.Namespace), texts(true, SameScope, SameOrGranted, InField, AnyScope, ClusterScope)},
		{"target.none", e.Target.None, []string{"", "namespace"}},
		{"target.rootReach", string(e.Target.RootReach), texts(true, ReachAll, ReachOwn, ReachNone)},
		{"target.via", e.Target.Via, []string{"", "parametersRef"}},
		{"merge.same.rejectScope", e.Merge.Same.RejectScope, []string{"", "target", "policy"}},
		{"merge.levels.direction", string(e.Merge.Levels.Direction), texts(true, Defaults, Overrides, FromBody, FromMode)},
		{"merge.levels.hops", string(e.Merge.Levels.Hops), texts(true, AllHops, ClosestHop, NoHops, ObjectHops)},
		{"merge.same.tie", string(e.Merge.Same.Tie), texts(true, Oldest, NewestTarget, Ordered, Undefined)},
		{"merge.levels.algorithm", e.Merge.Levels.Algorithm, known},
		{"merge.same.algorithm", e.Merge.Same.Algorithm, known},
		{"merge.settle", e.Merge.Settle, append([]string{""}, settle.Words()...)},
		{"refusals", e.Refusals, append([]string{""}, refusal.Words()...)},
	}
	for _, f := range e.Features {
		words = append(words, word{"features.needs", f.Needs, feature.Words()})
	}
	if m := e.Merge.Levels.Mode; m != nil {
		for _, direction := range m.Values {
			words = append(words, word{"merge.levels.mode.values", string(direction), texts(false, Defaults, Overrides)})
		}
	}
	if i := e.Merge.Levels.Inherit; i != nil {
		for _, direction := range i.Values {
			words = append(words, word{"merge.levels.inherit.values", string(direction), texts(false, Defaults, Overrides)})
		}
	}
	if s := e.Merge.Levels.Select; s != nil {
		words = append(words, word{"merge.levels.select.at", s.At, []string{"", lessSpecific, moreSpecific}})
		for _, a := range s.Values {
			words = append(words, word{"merge.levels.select.values", a, known})
		}
	}
	for _, r := range e.Target.Refs {
		words = append(words, word{"target.refs.form", r.Form, forms})
	}
	protections := slices.Clone(e.Protects)
	for _, d := range e.Draws {
		protections = append(protections, d.Protects...)
	}
	loosens := texts(false, Removed, Gone, Added, Higher, Lower, Changed, Admits)
	for _, p := range protections {
		words = append(words,
			word{"protects.loosens", string(p.Loosens), loosens}, word{"protects.what", p.What, protected},
			word{"protects.rules", string(p.Rules), texts(true, IstioAllow, IstioDeny, EnvoyGatewayRules)})
		for _, unset := range p.Unset {
			if text, literal := strings.CutPrefix(unset, "="); literal {
				words = append(words, word{"protects.unset", text, p.Order})
			}
		}
		if p.None != "" {
			words = append(words, word{"protects.none", p.None, p.Order})
		}
	}
	return words
}

func algorithms() []string {
	out := []string{""}
	for _, a := range merge.Algorithms() {
		out = append(out, string(a))
	}
	return out
}
