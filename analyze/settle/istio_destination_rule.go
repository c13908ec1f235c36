package settle

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// istioDestinationRule returns the settings that the proxies of most namespaces apply to a host.
// Below `from` it adds those of each client namespace with different settings (Istio
// pilot/pkg/model/push_context.go, destinationRule and setDestinationRules).
func istioDestinationRule(spec *merge.Tree, at Target) *merge.Tree {
	d := destination{root: at.Root, namespace: at.Namespace()}
	var clients []string
	for _, e := range spec.Entries {
		if e.Tree.Source == nil {
			continue
		}
		rule := destinationRule{tree: e.Tree, namespace: e.Tree.Source.Object.ID.Namespace, host: text(e.Tree, "host"), exportTo: exports(e.Tree)}
		selector := e.Tree.Get("workloadSelector")
		rule.selects = selector != nil
		if rule.selects {
			rule.exportTo = []string{"."} // exportTo is ignored
			rule.labels = labelsOf(selector)
		}
		d.rules = append(d.rules, rule)
		clients = append(clients, rule.namespace)
		for _, to := range rule.exportTo {
			if to != "." && to != "*" {
				clients = append(clients, to)
			}
		}
	}
	everyone := d.followed("", "")
	out := everyone
	slices.Sort(clients)
	for _, client := range slices.Compact(clients) {
		own := d.followed(client, "")
		if !merge.Equal(own, everyone) {
			out = out.With(orEmpty(own, spec), "from", client)
		}
		for _, labels := range d.selected(client) {
			if of := d.followed(client, labels); !merge.Equal(of, own) {
				out = out.With(orEmpty(of, spec), "from", client+" ("+labels+")")
			}
		}
	}
	return orNil(out)
}

// orEmpty returns t, or an empty map if no rule applies here while rules apply elsewhere.
func orEmpty(t, spec *merge.Tree) *merge.Tree {
	if t != nil {
		return t
	}
	return &merge.Tree{Value: &loader.Value{Shape: loader.Map}, Source: spec.Source, Kind: merge.Map}
}

// destination is a host with its rules, the oldest first.
type destination struct {
	root, namespace string
	rules           []destinationRule
}

type destinationRule struct {
	tree            *merge.Tree
	namespace, host string
	exportTo        []string
	selects         bool
	labels          string
}

func exports(rule *merge.Tree) []string {
	var out []string
	if v := rule.Get("exportTo"); v != nil && v.Value != nil {
		for _, item := range v.Value.ItemList() {
			out = append(out, item.Text)
		}
	}
	slices.Sort(out)
	return out
}

func labelsOf(selector *merge.Tree) string {
	var out []string
	for _, e := range selector.Get("matchLabels").Children() {
		if e.Tree.Value != nil {
			out = append(out, e.Key+"="+e.Tree.Value.Text)
		}
	}
	return strings.Join(out, ",")
}

// local reports whether proxies in the rule's namespace use the rule as one of their own namespace.
func (r destinationRule) local() bool {
	return len(r.exportTo) == 0 || slices.ContainsFunc(r.exportTo, func(to string) bool { return to == "*" || to == "." || to == r.namespace })
}

// private reports whether the rule is exported to its own namespace only.
func (r destinationRule) private() bool {
	return len(r.exportTo) == 1 && (r.exportTo[0] == "." || r.exportTo[0] == r.namespace)
}

// visible reports whether the rule is exported to the proxies of a namespace ("" for any
// namespace).
func (r destinationRule) visible(client string) bool {
	return len(r.exportTo) == 0 || slices.Contains(r.exportTo, "*") || client != "" && slices.Contains(r.exportTo, client)
}

// selected returns the labels by which rules of a namespace select proxies of that namespace.
func (d destination) selected(client string) []string {
	var out []string
	for _, r := range d.rules {
		if r.selects && r.namespace == client && !slices.Contains(out, r.labels) {
			out = append(out, r.labels)
		}
	}
	return out
}

// followed returns what applies to the proxies of a namespace, or to those with some labels. It
// uses the first of the client, host and root namespaces with rules for the host, and there only
// the rules of the most specific host.
func (d destination) followed(client, labels string) *merge.Tree {
	if client != "" {
		own := d.specific(func(r destinationRule) bool {
			return r.namespace == client && (client != d.root && r.local() || client == d.root && r.private())
		})
		if len(own) > 0 {
			return merged(own, labels)
		}
	}
	for _, namespace := range []string{d.namespace, d.root} {
		exported := d.specific(func(r destinationRule) bool { return r.namespace == namespace && !r.private() })
		if exported = slices.DeleteFunc(exported, func(r destinationRule) bool { return !r.visible(client) }); len(exported) > 0 {
			return merged(exported, labels)
		}
	}
	return nil
}

// specific returns the rules, among those selected, with the most specific host: an exact one, or
// else the longest wildcard.
func (d destination) specific(among func(destinationRule) bool) []destinationRule {
	best := ""
	var out []destinationRule
	for _, r := range d.rules {
		if !among(r) {
			continue
		}
		switch {
		case out == nil, moreSpecific(r.host, best):
			best, out = r.host, []destinationRule{r}
		case r.host == best || !strings.HasPrefix(r.host, "*") && !strings.HasPrefix(best, "*"):
			out = append(out, r) // a short name and the full name identify the same host
		}
	}
	return out
}

func moreSpecific(host, than string) bool {
	wild, was := strings.HasPrefix(host, "*"), strings.HasPrefix(than, "*")
	switch {
	case wild != was:
		return !wild
	case !wild:
		return false
	}
	return len(host) > len(than) || len(host) == len(than) && host < than
}

// merged combines the rules of one host. Rules with the same exportTo, or with a wider one than an
// earlier rule, are merged: the first traffic policy applies, and all subsets, the first of each
// name. If several merged rules remain, the last one applies. A rule that selects the proxy
// overrides them (Istio pilot/pkg/model/destination_rule.go, mergeDestinationRule; sidecar.go,
// DestinationRule).
func merged(rules []destinationRule, labels string) *merge.Tree {
	type entry struct {
		exportTo []string
		tree     *merge.Tree
	}
	var entries []entry
	for _, r := range rules {
		if r.selects {
			if labels != "" && r.labels == labels {
				return policyOf(r.tree)
			}
			continue
		}
		i := slices.IndexFunc(entries, func(e entry) bool {
			return slices.Equal(e.exportTo, r.exportTo) || len(e.exportTo) > 0 && !slices.ContainsFunc(e.exportTo, func(to string) bool { return !slices.Contains(r.exportTo, to) })
		})
		if i < 0 {
			entries = append(entries, entry{r.exportTo, policyOf(r.tree)})
			continue
		}
		entries[i].tree = together(entries[i].tree, policyOf(r.tree))
	}
	if len(entries) == 0 {
		return nil
	}
	return entries[len(entries)-1].tree
}

func policyOf(rule *merge.Tree) *merge.Tree { return ofPorts(only(rule, "trafficPolicy", "subsets")) }

func together(first, second *merge.Tree) *merge.Tree {
	if first == nil || second == nil {
		if first == nil {
			return second
		}
		return first
	}
	out := first
	if out.Get("trafficPolicy") == nil {
		out = out.With(second.Get("trafficPolicy"), "trafficPolicy")
	}
	was, is := first.Get("subsets"), second.Get("subsets")
	switch {
	case is == nil:
	case was == nil:
		out = out.With(is, "subsets")
	case was.Kind == merge.Keyed && is.Kind == merge.Keyed:
		all := *was
		all.Entries = slices.Clone(was.Entries)
		for _, e := range is.Entries {
			if was.Get(e.Key) == nil {
				all.Entries = append(all.Entries, e)
			}
		}
		out = out.With(&all, "subsets")
	}
	return out
}
