// Command strategicpatch writes test vectors: pairs of policies, and what Envoy Gateway's own merge makes of them.
//
//	go run . >../strategicpatch.jsonl
//
// One JSON object in each line: kind, mode (the mergeType), form, parent, child and merged specs. In the form "typed"
// parent and child are what Envoy Gateway marshals, null for null; in "written" they are what somebody could have
// written, with nulls, empty lists and zero values that its Go types drop. merged is always what Envoy Gateway holds in
// the end. limits, where both policies have a rateLimit, is what then replaces merged.rateLimit: rules by policy and index.
// The same seed gives the same bytes.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"

	egv1a1 "github.com/envoyproxy/gateway/api/v1alpha1"
)

const (
	seed    = 713
	each    = 14   // random vectors of each kind, mode and form
	largest = 1100 // bytes of one vector
)

type vector struct {
	Kind   string       `json:"kind"`
	Mode   string       `json:"mode"`
	Form   string       `json:"form"`
	Parent any          `json:"parent"`
	Child  any          `json:"child"`
	Merged any          `json:"merged,omitempty"`
	Limits *irRateLimit `json:"limits,omitempty"`
	Error  string       `json:"error,omitempty"`
}

// kinds are the policies that Envoy Gateway merges, each with the instance of Merge that it calls.
var kinds = []struct {
	name  string
	spec  reflect.Type
	merge func(parent, child []byte, mode egv1a1.MergeType) (merged any, l *irRateLimit, err error)
	typed func(spec []byte) (any, error)
}{
	{"BackendTrafficPolicy", reflect.TypeFor[egv1a1.BackendTrafficPolicySpec](), func(p, c []byte, mode egv1a1.MergeType) (any, *irRateLimit, error) {
		parent, child := &egv1a1.BackendTrafficPolicy{}, &egv1a1.BackendTrafficPolicy{}
		if err := read(p, &parent.Spec, c, &child.Spec); err != nil {
			return nil, nil, err
		}
		l, err := limits(parent, child, mode)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", errDiscard, err)
		}
		merged, err := Merge(parent, child, mode)
		if err != nil {
			return nil, nil, err
		}
		return merged.Spec, l, nil
	}, typedAs[egv1a1.BackendTrafficPolicySpec]},
	{"SecurityPolicy", reflect.TypeFor[egv1a1.SecurityPolicySpec](), merging(func(p *egv1a1.SecurityPolicy) any { return &p.Spec }), typedAs[egv1a1.SecurityPolicySpec]},
	{"EnvoyExtensionPolicy", reflect.TypeFor[egv1a1.EnvoyExtensionPolicySpec](), merging(func(p *egv1a1.EnvoyExtensionPolicy) any { return &p.Spec }), typedAs[egv1a1.EnvoyExtensionPolicySpec]},
	{"EnvoyProxy", reflect.TypeFor[egv1a1.EnvoyProxySpec](), func(p, c []byte, mode egv1a1.MergeType) (any, *irRateLimit, error) {
		var parent, child egv1a1.EnvoyProxy
		if err := read(p, &parent.Spec, c, &child.Spec); err != nil {
			return nil, nil, err
		}
		merged, err := Merge(parent, child, mode)
		if err != nil {
			return nil, nil, err
		}
		return merged.Spec, nil, nil
	}, typedAs[egv1a1.EnvoyProxySpec]},
}

// merging merges two policies of a kind that Envoy Gateway hands over as pointers.
func merging[P any](spec func(*P) any) func(parent, child []byte, mode egv1a1.MergeType) (any, *irRateLimit, error) {
	return func(p, c []byte, mode egv1a1.MergeType) (any, *irRateLimit, error) {
		parent, child := new(P), new(P)
		if err := read(p, spec(parent), c, spec(child)); err != nil {
			return nil, nil, err
		}
		merged, err := Merge(parent, child, mode)
		if err != nil {
			return nil, nil, err
		}
		return spec(merged), nil, nil
	}
}

// errDiscard marks input that no Envoy Gateway would merge.
var errDiscard = fmt.Errorf("not a valid pair")

func read(p []byte, parent any, c []byte, child any) error {
	for _, err := range []error{json.Unmarshal(p, parent), json.Unmarshal(c, child)} {
		if err != nil {
			return fmt.Errorf("%w: %w", errDiscard, err)
		}
	}
	return nil
}

func typedAs[T any](spec []byte) (any, error) {
	var t T
	if err := json.Unmarshal(spec, &t); err != nil {
		return nil, fmt.Errorf("%w: %w", errDiscard, err)
	}
	return plain(t)
}

// plain is a value as JSON values.
func plain(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var out any
	return out, json.Unmarshal(text, &out)
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	emit := func(v *vector, err error) {
		if err == nil {
			err = enc.Encode(v)
		}
		if err != nil {
			panic(err)
		}
	}
	modes := []egv1a1.MergeType{egv1a1.StrategicMerge, egv1a1.JSONMerge}
	for _, pair := range handmade {
		for _, mode := range modes {
			emit(newVector(pair.kind, mode, "written", []byte(pair.parent), []byte(pair.child)))
		}
	}
	r := rand.New(rand.NewPCG(seed, seed))
	for _, k := range kinds {
		for _, mode := range modes {
			for _, form := range []string{"typed", "written"} {
				for range each {
					emit(randomVector(r, k.name, k.spec, mode, form))
				}
			}
		}
	}
	if err := out.Flush(); err != nil {
		panic(err)
	}
}

func newVector(kind string, mode egv1a1.MergeType, form string, parent, child []byte) (*vector, error) {
	v := &vector{Kind: kind, Mode: string(mode), Form: form}
	for _, k := range kinds {
		if k.name != kind {
			continue
		}
		var err error
		if v.Parent, err = k.typed(parent); err != nil {
			return nil, err
		}
		if v.Child, err = k.typed(child); err != nil {
			return nil, err
		}
		merged, l, err := k.merge(parent, child, mode)
		switch {
		case err != nil && strings.HasPrefix(err.Error(), errDiscard.Error()):
			return nil, err
		case err != nil:
			v.Error = err.Error()
		default:
			v.Limits = l
			if v.Merged, err = plain(merged); err != nil {
				return nil, err
			}
		}
		if form == "written" {
			v.Parent, v.Child = nil, nil
			if err := json.Unmarshal(parent, &v.Parent); err != nil {
				return nil, err
			}
			return v, json.Unmarshal(child, &v.Child)
		}
	}
	return v, nil
}

// randomVector tries until a pair is valid, says something, and is small.
func randomVector(r *rand.Rand, kind string, spec reflect.Type, mode egv1a1.MergeType, form string) (*vector, error) {
	for {
		g := &generator{Rand: r, written: form == "written"}
		parent, child := g.pair(spec)
		if kind == "EnvoyProxy" && form == "written" {
			for _, spec := range []map[string]any{parent, child} { // the default of the CRD
				spec["logging"] = map[string]any{"level": map[string]any{"default": pick(g, "warn", "info")}}
			}
		}
		p, err := json.Marshal(parent)
		if err != nil {
			return nil, err
		}
		c, err := json.Marshal(child)
		if err != nil {
			return nil, err
		}
		v, err := newVector(kind, mode, form, p, c)
		if err != nil {
			continue
		}
		size, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		if len(size) <= largest && v.Error == "" && !reflect.DeepEqual(v.Merged, v.Parent) && !reflect.DeepEqual(v.Merged, v.Child) {
			return v, nil
		}
	}
}

// generator makes JSON that fits Go types.
type generator struct {
	*rand.Rand
	written bool
}

// pair makes two specs that meet in some fields.
func (g *generator) pair(spec reflect.Type) (parent, child map[string]any) {
	fields := fieldsOf(spec)
	fields = slices.DeleteFunc(fields, func(f field) bool {
		return strings.HasPrefix(f.name, "target") || f.name == "mergeType"
	})
	g.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	shared, alone := fields[:1+g.IntN(2)], fields[2:4]
	parent, child = map[string]any{}, map[string]any{}
	for _, f := range shared {
		parent[f.name], child[f.name] = g.value(f.kind, f.name, 1), g.value(f.kind, f.name, 1)
	}
	for i, side := range []map[string]any{parent, child} {
		if g.IntN(2) == 0 {
			side[alone[i].name] = g.value(alone[i].kind, alone[i].name, 2)
		}
	}
	return parent, child
}

func (g *generator) value(t reflect.Type, name string, depth int) any {
	t = deref(t)
	switch t.String() {
	case "v1.Duration":
		if t.PkgPath() == "k8s.io/apimachinery/pkg/apis/meta/v1" || t.Kind() == reflect.String {
			return pick(g, "10s", "1m0s", "250ms")
		}
	case "resource.Quantity":
		return pick(g, "1", "10Mi", "500m", "2k")
	case "intstr.IntOrString":
		return pick[any](g, 8080, "25%")
	case "v1.Time":
		return "2024-05-01T00:00:00Z"
	case "v1.JSON":
		return pick[any](g, 1, "x", map[string]any{"a": 1}, map[string]any{"b": []any{1, 2}})
	}
	switch t.Kind() {
	case reflect.Struct:
		return g.object(t, depth)
	case reflect.Slice:
		return g.list(t.Elem(), name, depth)
	case reflect.Map:
		out := map[string]any{}
		for range g.IntN(3) {
			out[pick(g, "a", "b", "c")] = g.value(t.Elem(), name, depth+1)
		}
		return out
	case reflect.Bool:
		return g.IntN(2) == 0
	case reflect.String:
		return pick(g, "a", "b", "c", "d")
	case reflect.Float32, reflect.Float64:
		return pick(g, 0.5, 1.5)
	}
	return pick(g, 0, 1, 5, 80)
}

func (g *generator) object(t reflect.Type, depth int) any {
	out := map[string]any{}
	for _, f := range fieldsOf(t) {
		switch {
		case !f.optional, g.IntN(2+2*depth) < 2:
			if depth < 6 || !f.optional {
				out[f.name] = g.value(f.kind, f.name, depth+1)
			}
		case g.written && g.IntN(12) == 0:
			out[f.name] = g.nothing(f.kind)
		}
	}
	return out
}

// nothing is a way to write that there is nothing.
func (g *generator) nothing(t reflect.Type) any {
	if g.IntN(2) == 0 {
		return nil
	}
	switch deref(t).Kind() {
	case reflect.Slice:
		return []any{}
	case reflect.Map:
		return map[string]any{}
	case reflect.Bool:
		return false
	case reflect.String:
		return ""
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint32, reflect.Uint64:
		return 0
	}
	return nil
}

// list has keys that meet those of other lists, and sometimes one of them twice.
func (g *generator) list(item reflect.Type, name string, depth int) any {
	out := []any{}
	used := map[string]bool{}
	for range 1 + g.IntN(3) {
		v := g.value(item, name, depth+1)
		o, isObject := v.(map[string]any)
		for _, key := range []string{"name", "type", "mountPath", "topologyKey", "devicePath", "containerPort", "uid"} {
			if k, ok := o[key]; isObject && ok {
				text := fmt.Sprint(k)
				if used[key+text] && g.IntN(10) > 0 {
					v = nil
				}
				used[key+text] = true
			}
		}
		if v != nil {
			out = append(out, v)
		}
	}
	return out
}

type field struct {
	name     string
	kind     reflect.Type
	optional bool
}

// fieldsOf are the JSON fields of a struct, those of embedded ones with them.
func fieldsOf(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case f.Anonymous && name == "":
			out = append(out, fieldsOf(deref(f.Type))...)
		default:
			out = append(out, field{name, f.Type, strings.Contains(options, "omit")})
		}
	}
	return out
}

func deref(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

func pick[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }
