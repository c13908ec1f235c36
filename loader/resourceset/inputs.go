package resourceset

import (
	"cmp"
	"fmt"
	"hash/adler32"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gwplan/gwplan/loader"
)

// source is a source of input sets: the ResourceSet itself, or a provider.
type source struct {
	name string
	sets []map[string]any
}

// inputs returns the input sets for the templates (internal/inputs/combine.go): first those
// of the ResourceSet itself, then those of its providers, sorted by name.
func inputs(root *loader.Value, providers []*loader.Value) ([]map[string]any, *Problem) {
	own := source{name: root.Str("metadata", "name")}
	for _, item := range root.List("spec", "inputs") {
		own.sets = append(own.sets, withProvider(values(item), root))
	}
	sources := []source{own}
	chosen, problem := choose(root, providers)
	if problem != nil {
		return nil, problem
	}
	for _, p := range chosen {
		if kind := p.Str("spec", "type"); kind != "Static" {
			return nil, &Problem{
				Message: fmt.Sprintf("the inputs of %q come from %s, which gwplan does not query: the objects of the ResourceSet are unknown", p.Str("metadata", "name"), kind),
				Mark:    root.Get("spec", "inputsFrom").Mark, Unknown: true,
			}
		}
		set := values(p.Get("spec", "defaultValues"))
		// The id is a digest of the object's uid, which the cluster assigns.
		set["id"] = "${id}"
		sources = append(sources, source{p.Str("metadata", "name"), []map[string]any{withProvider(set, p)}})
	}
	if root.Str("spec", "inputStrategy", "name") == "Permute" {
		return permuted(sources, root)
	}
	var out []map[string]any
	for _, s := range sources {
		out = append(out, s.sets...)
	}
	return out, nil
}

// choose returns the providers that spec.inputsFrom refers to, sorted by name.
func choose(root *loader.Value, providers []*loader.Value) ([]*loader.Value, *Problem) {
	taken := map[string]*loader.Value{}
	for _, ref := range root.List("spec", "inputsFrom") {
		name, selector := ref.Str("name"), ref.Get("selector")
		found := false
		for _, p := range providers {
			if name != "" && p.Str("metadata", "name") == name || name == "" && selector != nil && selects(selector, p) {
				taken[p.Str("metadata", "name")], found = p, true
			}
		}
		if !found {
			what := fmt.Sprintf("the input provider %q", name)
			if name == "" {
				what = "an input provider that the selector selects"
			}
			return nil, &Problem{Message: what + " is not in the tree: what the ResourceSet makes of its inputs is unknown", Mark: ref.Mark, Unknown: true}
		}
	}
	var out []*loader.Value
	for _, name := range slices.Sorted(maps.Keys(taken)) {
		out = append(out, taken[name])
	}
	return out, nil
}

// selects evaluates a label selector on a provider. An unknown operator selects nothing.
func selects(selector, p *loader.Value) bool {
	labels := map[string]string{}
	for _, f := range p.Get("metadata", "labels").FieldList() {
		labels[f.Key] = f.Value.Text
	}
	ok, err := loader.Selects(selector, labels)
	return ok && err == nil
}

// withProvider sets the key provider of an input set, even if it exists.
func withProvider(set map[string]any, by *loader.Value) map[string]any {
	set["provider"] = map[string]any{
		"apiVersion": by.Str("apiVersion"), "kind": by.Str("kind"), "name": by.Str("metadata", "name"), "namespace": by.Str("metadata", "namespace"),
	}
	return set
}

// values converts a map to the Go values that templates see: integers are int64.
func values(v *loader.Value) map[string]any {
	out := map[string]any{}
	for _, f := range v.FieldList() {
		out[f.Key] = value(f.Value)
	}
	return out
}

func value(v *loader.Value) any {
	switch v.Shape {
	case loader.Map:
		return values(v)
	case loader.List:
		out := make([]any, len(v.Items))
		for i, item := range v.Items {
			out[i] = value(item)
		}
		return out
	case loader.Int:
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return n
		}
	case loader.Float:
		if n, err := strconv.ParseFloat(v.Text, 64); err == nil {
			return n
		}
	case loader.Bool:
		return v.Text == "true"
	case loader.String:
		return v.Text
	case loader.Null:
	}
	return nil
}

// maxPermutations is the limit of the operator.
const maxPermutations = 10_000

// permuted returns all combinations of one set per source; the first source varies slowest
// (internal/inputs/permuter.go). Sources without inputs are skipped. With
// includeEmptyProviders, a provider without inputs results in no combination at all.
func permuted(sources []source, root *loader.Value) ([]map[string]any, *Problem) {
	empty := root.Get("spec", "inputStrategy", "includeEmptyProviders")
	out := []map[string]any{{}}
	ids := [][]string{nil}
	for i, s := range sources {
		if len(s.sets) == 0 {
			if i > 0 && empty != nil && empty.Text == "true" {
				return nil, nil
			}
			continue
		}
		if len(out)*len(s.sets) > maxPermutations {
			return nil, &Problem{Message: fmt.Sprintf("the ResourceSet has more than %d permutations of inputs", maxPermutations), Hint: "use fewer inputs", Mark: root.Mark}
		}
		name := normalized(s.name)
		var next []map[string]any
		var nextIDs [][]string
		for j, have := range out {
			for n, set := range s.sets {
				both := maps.Clone(have)
				both[name] = set
				next = append(next, both)
				nextIDs = append(nextIDs, append(slices.Clone(ids[j]), fmt.Sprintf("%s=%d", name, n)))
			}
		}
		out, ids = next, nextIDs
	}
	if len(ids[0]) == 0 {
		return nil, nil
	}
	for i := range out {
		out[i]["id"] = strconv.FormatUint(uint64(adler32.Checksum([]byte(strings.Join(ids[i], "/")))), 10)
	}
	return out, nil
}

// normalized turns the name of a source into a key (internal/inputs/keys.go).
func normalized(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case unicode.IsSpace(r), unicode.IsPunct(r):
			b.WriteByte('_')
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		}
	}
	parts := slices.DeleteFunc(strings.Split(b.String(), "_"), func(part string) bool { return part == "" })
	return cmp.Or(strings.Join(parts, "_"), "_")
}
