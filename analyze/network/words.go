package network

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
)

// Anything is every pod and every address.
const Anything = "anything"

// words describes a set of endpoints in as few words as possible, the broadest first: whole namespaces by
// their names, addresses by the fewest networks, and most of something by what is missing.
func (v *views) words(s set) []string { return v.within(s, newSet(len(v.list))) }

// within describes a set of endpoints. To be shorter, the description may also cover endpoints of free.
func (v *views) within(s, free set) []string {
	in, out := map[Form][]int{}, map[Form][]int{}
	for i, e := range v.list {
		switch {
		case s.has(i):
			in[e.Form] = append(in[e.Form], i)
		case !free.has(i) && !e.met():
			out[e.Form] = append(out[e.Form], i)
		}
	}
	all := func(f Form) bool { return len(in[f]) > 0 && len(out[f]) == 0 }
	missing := v.singleWords(out[Pods], in[Pods])
	mostly := plain(missing) && len(in[Pods]) >= 2*len(missing) && len(in[Pods]) > 0 && len(missing) <= maxMissing && !v.foreign(out[Pods])
	pods := v.singleWords(in[Pods], out[Pods])
	if mostly && len(pods) > 1 {
		pods = []string{"every pod" + but(missing)}
	}
	var words []string
	switch {
	case all(Addresses) && mostly:
		return []string{Anything + but(missing)}
	case all(Addresses):
		words = append([]string{"every address outside the cluster"}, pods...)
	default:
		words = append(pods, v.addressWords(in[Addresses])...)
	}
	for _, i := range slices.Concat(in[Names], in[Entities]) {
		words = append(words, v.list[i].String())
	}
	if len(words) == 0 && len(in[Nodes]) > 0 {
		words = append(words, "nodes")
	}
	return words
}

// maxMissing is how many missing things a description names.
const maxMissing = 3

// wholeNamespace begins the description of all pods of a namespace.
const wholeNamespace = "everything in namespace "

// but names what is missing: "outside namespace web" where that is whole namespaces.
func but(missing []string) string {
	var namespaces []string
	for _, words := range missing {
		if name, whole := strings.CutPrefix(words, wholeNamespace); whole {
			namespaces = append(namespaces, name)
		}
	}
	switch {
	case len(missing) == 0:
		return ""
	case len(namespaces) < len(missing):
		return " but " + wordList(missing)
	case len(namespaces) == 1:
		return " outside namespace " + namespaces[0]
	}
	return " outside namespaces " + wordList(namespaces)
}

// plain reports whether descriptions have no exceptions of their own.
func plain(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, " but ") })
}

// foreign reports whether the pods of other namespaces are among some: most of what there may be.
func (v *views) foreign(list []int) bool {
	return slices.ContainsFunc(list, func(i int) bool {
		return v.list[i].Namespace == "" && len(v.list[i].namespaceLabels) == 0 && len(v.list[i].labels) == 0
	})
}

// singleWords describes the pods of in, whole namespaces first. A namespace counts as whole although a few of its pods
// are in out; these are then named as exceptions.
func (v *views) singleWords(in, out []int) []string {
	there, missing := v.byNamespace(in), v.byNamespace(out)
	var whole, single []string
	for namespace, list := range there {
		left := missing[namespace]
		if namespace != "" && len(list) > 1 && len(list) >= 2*len(left) && len(left) <= maxMissing {
			var names []string
			for _, i := range left {
				names = append(names, v.list[i].String())
			}
			whole = append(whole, wholeNamespace+namespace+but(names))
			continue
		}
		for _, i := range v.broadest(list) {
			single = append(single, v.list[i].String())
		}
	}
	slices.Sort(whole)
	slices.SortFunc(single, func(a, b string) int {
		return cmp.Or(compareBool(strings.Contains(a, "pods of"), strings.Contains(b, "pods of")), strings.Compare(a, b))
	})
	return append(whole, single...)
}

// broadest leaves out pods without a manifest whose labels are those of others, and more.
func (v *views) broadest(list []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(i int) bool {
		return v.list[i].presumed() && slices.ContainsFunc(list, func(j int) bool {
			return j != i && v.list[j].presumed() && len(v.list[j].labels) > 0 && len(v.list[j].labels) < len(v.list[i].labels) && holdsAll(v.list[i].labels, v.list[j].labels)
		})
	})
}

// holdsAll reports whether labels have all of some. An absent label is not an empty one.
func holdsAll(labels, some map[string]string) bool {
	for key, value := range some {
		if got, has := labels[key]; !has || got != value {
			return false
		}
	}
	return true
}

func (v *views) byNamespace(list []int) map[string][]int {
	out := map[string][]int{}
	for _, i := range list {
		out[v.list[i].Namespace] = append(out[v.list[i].Namespace], i)
	}
	return out
}

// addressWords describes ranges of addresses. Where most of a family is chosen, it says what is not.
func (v *views) addressWords(chosen []int) []string {
	if len(chosen) == 0 {
		return nil
	}
	var in, out []netip.Prefix
	meant := newSet(len(v.list))
	for _, i := range chosen {
		meant.add(i)
	}
	for i, e := range v.list {
		if e.Form != Addresses {
			continue
		}
		if meant.has(i) {
			in = append(in, e.addresses.networks()...)
		} else {
			out = append(out, e.addresses.networks()...)
		}
	}
	in, out = joined(in), joined(out)
	if len(out) < len(in) {
		return []string{"every address outside the cluster but " + prefixText(out)}
	}
	return []string{coveredText(in)}
}

func prefixText(list []netip.Prefix) string {
	texts := make([]string, len(list))
	for i, p := range list {
		switch texts[i] = p.String(); {
		case p.Bits() == 0 && p.Addr().Is4():
			texts[i] = "every IPv4 address"
		case p.Bits() == 0:
			texts[i] = "every IPv6 address"
		}
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
