package network

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
)

// words describes a set of endpoints in as few words as possible: whole namespaces by their names,
// addresses by the fewest networks, and most of something by what is missing.
func (v views) words(s set) []string {
	in, out := map[Form][]int{}, map[Form][]int{}
	for i, e := range v {
		if s.has(i) {
			in[e.Form] = append(in[e.Form], i)
		} else {
			out[e.Form] = append(out[e.Form], i)
		}
	}
	all := func(f Form) bool { return len(in[f]) > 0 && len(out[f]) == 0 }
	pods := v.podWords(in[Pods], out[Pods])
	switch {
	case all(Addresses) && mostly(in[Pods], out[Pods]):
		return []string{"anything" + v.but(out[Pods])}
	case all(Addresses):
		return append(pods, "every address outside the cluster")
	}
	words := append(pods, v.addressWords(in[Addresses])...)
	for _, i := range slices.Concat(in[Names], in[Entities]) {
		words = append(words, v[i].String())
	}
	if len(words) == 0 && len(in[Nodes]) > 0 {
		words = append(words, "nodes")
	}
	return words
}

// maxMissing is how many missing endpoints a description names.
const maxMissing = 2

// mostly reports whether what is missing says more briefly what is there.
func mostly(in, out []int) bool {
	return len(in) >= 2*len(out) && len(in) > 0 && len(out) <= maxMissing
}

// but names what is missing.
func (v views) but(out []int) string {
	var names []string
	for _, i := range out {
		names = append(names, v[i].String())
	}
	if len(names) == 0 {
		return ""
	}
	return " but " + strings.Join(names, " and ")
}

// podWords describes pods, whole namespaces first.
func (v views) podWords(in, out []int) []string {
	if mostly(in, out) {
		return []string{"every pod" + v.but(out)}
	}
	there, missing := v.byNamespace(in), v.byNamespace(out)
	var whole, single []string
	for namespace, list := range there {
		if namespace != "" && len(list) > 1 && mostly(list, missing[namespace]) {
			whole = append(whole, "everything in namespace "+namespace+v.but(missing[namespace]))
			continue
		}
		for _, i := range list {
			single = append(single, v[i].String())
		}
	}
	slices.Sort(whole)
	slices.SortFunc(single, func(a, b string) int {
		return cmp.Or(less(strings.Contains(a, "pods of"), strings.Contains(b, "pods of")), strings.Compare(a, b))
	})
	return append(whole, single...)
}

func (v views) byNamespace(list []int) map[string][]int {
	out := map[string][]int{}
	for _, i := range list {
		out[v[i].Namespace] = append(out[v[i].Namespace], i)
	}
	return out
}

// addressWords describes ranges of addresses. Where most of a family is chosen, it says what is not.
func (v views) addressWords(chosen []int) []string {
	if len(chosen) == 0 {
		return nil
	}
	var in, out []netip.Prefix
	for i, e := range v {
		if e.Form != Addresses {
			continue
		}
		if slices.Contains(chosen, i) {
			in = append(in, e.addresses.networks()...)
		} else {
			out = append(out, e.addresses.networks()...)
		}
	}
	in, out = joined(in), joined(out)
	if len(out) < len(in) {
		return []string{"every address outside the cluster but " + prefixText(out)}
	}
	return []string{prefixText(in)}
}

func prefixText(list []netip.Prefix) string {
	texts := make([]string, len(list))
	for i, p := range list {
		texts[i] = p.String()
	}
	return strings.Join(texts, ", ")
}

// joined joins networks that touch each other into the fewest.
func joined(list []netip.Prefix) []netip.Prefix {
	slices.SortFunc(list, func(a, b netip.Prefix) int { return a.Addr().Compare(b.Addr()) })
	var ranges []addresses
	for _, p := range list {
		if n := len(ranges); n > 0 && ranges[n-1].last.Next() == p.Addr() {
			ranges[n-1].last = lastOf(p)
			continue
		}
		ranges = append(ranges, addresses{p.Addr(), lastOf(p)})
	}
	var out []netip.Prefix
	for _, r := range ranges {
		out = append(out, r.networks()...)
	}
	return out
}
