package change

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// ownConfig returns the effective configuration that a node's object itself contains. It omits
// names, references to parents and what is compared separately (attachment, hostnames, sections).
// named returns the identity by which a backend is compared.
func ownConfig(n *hierarchy.Node, named func(loader.ID) loader.ID) *merge.Tree {
	if n == nil || n.Object == nil || n.Value == nil {
		return nil
	}
	source := &merge.Source{Object: n.Object, Role: merge.Object}
	var v *loader.Value
	switch n.Level {
	case hierarchy.LevelGateway:
		v = without(n.Value, "listeners")
	case hierarchy.LevelListener:
		v = without(n.Value, "name")
	case hierarchy.LevelListenerSet:
		v = without(n.Value, "listeners", "parentRef")
	case hierarchy.LevelRoute:
		v = without(n.Value, "parentRefs", "hostnames", "rules")
	case hierarchy.LevelRule:
		return ruleConfig(n, source, named)
	case hierarchy.LevelBackend:
		v = only(n.Value, "type", "externalName", "ports", "selector")
		if n.Target.Kind != "Service" {
			v = n.Value
		}
	case hierarchy.LevelGatewayClass:
		v = without(n.Value, "description")
	case hierarchy.LevelOutside:
		v = n.Value
	default:
		return nil
	}
	return merge.New(v, source, merge.Form{Lists: []merge.List{{Path: "ports", Key: "port"}}})
}

func only(v *loader.Value, keys ...string) *loader.Value {
	if v == nil {
		return nil
	}
	out := *v
	out.Fields = nil
	for _, f := range v.Fields {
		if slices.Contains(keys, f.Key) {
			out.Fields = append(out.Fields, f)
		}
	}
	return &out
}

// ruleConfig returns the body of a rule. Backends have their identity as key, so that a new order
// is no change. Weights are shares, because only shares have an effect; backends that differ in the
// weight alone are one.
func ruleConfig(n *hierarchy.Node, source *merge.Source, named func(loader.ID) loader.ID) *merge.Tree {
	tree := merge.New(sortedMatches(without(n.Value, "name", "backendRefs")), source, merge.Form{})
	refs := n.Value.Get("backendRefs")
	if refs.IsEmpty() {
		return tree
	}
	backends := &merge.Tree{Value: refs, Source: source, Kind: merge.Keyed}
	var list []weighted
	total := new(big.Rat)
	for _, ref := range refs.Items {
		total.Add(total, weight(ref))
		b := weighted{backendKey(ref, n.Namespace(), named), without(ref, "group", "kind", "namespace", "name", "port", "weight"), weight(ref), ref}
		if i := slices.IndexFunc(list, b.is); i >= 0 {
			list[i].weight.Add(list[i].weight, b.weight)
			continue
		}
		list = append(list, b)
	}
	for _, b := range list {
		key := b.key
		for backends.Get(key) != nil {
			key += "'"
		}
		body := merge.New(b.body, source, merge.Form{}).Put("weight", merge.New(b.share(total), source, merge.Form{}))
		backends.Entries = append(backends.Entries, merge.Entry{Key: key, Tree: body})
	}
	slices.SortFunc(backends.Entries, func(a, b merge.Entry) int { return cmp.Compare(a.Key, b.Key) })
	return tree.Put("backendRefs", backends)
}

// weighted is a backend of a rule with its weight. body is what else is written of it, ref the first reference.
type weighted struct {
	key    string
	body   *loader.Value
	weight *big.Rat
	ref    *loader.Value
}

// is reports whether two backends differ at most in the weight.
func (b weighted) is(other weighted) bool {
	return b.key == other.key && loader.Equal(b.body, other.body)
}

// sortedMatches returns a rule with the headers and query parameters of its matches sorted by name.
// All must match, so their order has no effect.
func sortedMatches(rule *loader.Value) *loader.Value {
	return mapField(rule, "matches", func(matches *loader.Value) *loader.Value {
		out := *matches
		out.Items = nil
		for _, match := range matches.Items {
			for _, field := range []string{"headers", "queryParams"} {
				match = mapField(match, field, byName)
			}
			out.Items = append(out.Items, match)
		}
		return &out
	})
}

func byName(list *loader.Value) *loader.Value {
	out := *list
	out.Items = slices.Clone(list.Items)
	slices.SortStableFunc(out.Items, func(a, b *loader.Value) int { return cmp.Compare(a.Str("name"), b.Str("name")) })
	return &out
}

// mapField returns a copy of a map with one of its lists replaced.
func mapField(v *loader.Value, key string, by func(*loader.Value) *loader.Value) *loader.Value {
	i := slices.IndexFunc(v.FieldList(), func(f loader.Field) bool { return f.Key == key && f.Value.Shape == loader.List })
	if i < 0 {
		return v
	}
	out := *v
	out.Fields = slices.Clone(v.Fields)
	out.Fields[i].Value = by(v.Fields[i].Value)
	return &out
}

func backendKey(ref *loader.Value, namespace string, named func(loader.ID) loader.ID) string {
	key := named(hierarchy.BackendID(ref, namespace)).String()
	if port := ref.Get("port"); port != nil {
		key += ":" + port.Text
	}
	return key
}

// weight is a backend's weight, 1 by default.
func weight(ref *loader.Value) *big.Rat {
	if v := ref.Get("weight"); v != nil && v.Shape == loader.Int {
		if w, err := strconv.ParseInt(v.Text, 10, 32); err == nil && w >= 0 {
			return big.NewRat(w, 1)
		}
	}
	return big.NewRat(1, 1)
}

// share returns the backend's share of the traffic, with the position of its weight.
func (b weighted) share(total *big.Rat) *loader.Value {
	at := b.ref.Get("weight")
	if at == nil {
		at = b.ref
	}
	part := new(big.Rat)
	if total.Sign() > 0 {
		part.Quo(b.weight, total)
	}
	percent := new(big.Rat).Mul(part, big.NewRat(100, 1))
	text := percent.RatString() + "%"
	if !percent.IsInt() {
		// The fraction distinguishes shares that round to the same percentage.
		text = fmt.Sprintf("%s%% (%s)", percent.FloatString(1), part.RatString())
	}
	return &loader.Value{Shape: loader.String, Text: text, Mark: at.Mark, Defaulted: at.Defaulted}
}
