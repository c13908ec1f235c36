package analyze_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// TestChangesLeadFromBaseToHead applies the changes of a diff to base's
// effective policies and expects head's, in the contexts that both sides have.
func TestChangesLeadFromBaseToHead(t *testing.T) {
	applied := 0
	pairs(t, func(t *testing.T, o analyze.Options, base, head []doc) {
		before, after := snapshot(".", files(base)...), snapshot(".", files(head)...)
		table, states := o.Table(before, after), effective.NewStates()
		ages := age.Ages{Base: map[loader.ID]*loader.Object{}}
		for _, obj := range before.Environments[0].Objects {
			ages.Base[obj.ID] = obj
		}
		b, h := runWith(o, table, before, ages, states), runWith(o, table, after, ages, states)
		from, to, d := fieldsByContext(b), fieldsByContext(h), change.Between(b, h, change.Options{})
		for context, fields := range from {
			// The index of an unnamed rule is no identity.
			if to[context] == nil || strings.Contains(context, "rule[") {
				continue
			}
			got := maps.Clone(fields)
			for i := range d.Changes {
				applied += apply(&d.Changes[i], context, got)
			}
			if !maps.Equal(got, to[context]) {
				t.Errorf("%s: %v with the changes is\n%v, want\n%v\nfrom\n%s\nto\n%s",
					context, fields, got, to[context], manifests(base), manifests(head))
			}
		}
	})
	if applied == 0 {
		t.Error("no pair has a change in a context of both sides")
	}
}

// fieldsByContext are the leaves of the effective policies of a run, empty maps
// aside, by kind and context. A context without policies has no fields.
func fieldsByContext(r *effective.Run) map[string]map[string]string {
	out := map[string]map[string]string{}
	join := effective.Alone(r)
	for _, k := range r.Attached.Kinds {
		join.Flows(k, func(at *effective.Joint, flows []effective.Flow) {
			for _, f := range flows {
				fields := map[string]string{}
				if p := r.Policy(k, f.States[effective.Head], at.Any()); p != nil {
					for _, leaf := range change.Leaves(k, p) {
						flatten(fields, leaf.Path, leaf.After)
					}
				}
				for _, s := range f.Samples {
					out[contextKey(k.Name(), s.Context(effective.Head))] = fields
				}
			}
		})
	}
	return out
}

func contextKey(kind string, context []string) string { return kind + " " + fmt.Sprint(context) }

// flatten writes a value under its path, maps by their own leaves.
func flatten(fields map[string]string, path string, value any) {
	if m, ok := value.(map[string]any); ok {
		for key, v := range m {
			flatten(fields, strings.TrimSuffix(path, "/")+"/"+key, v)
		}
		return
	}
	fields[path] = jsonText(value)
}

// apply edits the fields of a context as a change says, if it is about it.
func apply(c *change.Compared, context string, fields map[string]string) int {
	if c.PolicyKind == nil || c.Kind != plan.FieldChange {
		return 0
	}
	here := slices.ContainsFunc(c.Targets, func(t plan.Target) bool {
		return slices.ContainsFunc(t.Contexts, func(path []string) bool { return contextKey(c.PolicyKind.Kind, path) == context })
	})
	if !here {
		return 0
	}
	for _, f := range c.Fields {
		below := strings.TrimSuffix(f.Path, "/") + "/"
		maps.DeleteFunc(fields, func(path, _ string) bool { return path == f.Path || strings.HasPrefix(path, below) })
		if f.Action != plan.FieldRemoved {
			flatten(fields, f.Path, f.After)
		}
	}
	return len(c.Fields)
}
