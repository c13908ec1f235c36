package network_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/loader"
)

// pairs gives random worlds and what became of them after some edits. Every other one may have pods
// without a manifest.
func pairs(t *testing.T, check func(t *testing.T, g *generator, base, head []doc)) {
	t.Helper()
	t.Parallel()
	n := *worlds / 3
	if testing.Short() {
		n /= 4
	}
	for seed := 0; seed < n && !t.Failed(); seed++ {
		g := newGenerator(1_000_000 + uint64(seed))
		base := g.world()
		check(t, g, base, g.edited(base))
	}
}

// edited returns documents with one to three of them changed, left out or made anew. Both worlds have the
// same workloads.
func (g *generator) edited(docs []doc) []doc {
	docs = slices.Clone(docs)
	for range 1 + g.IntN(3) {
		i := g.IntN(len(docs))
		switch d := docs[i]; d["kind"] {
		case "Namespace", "Pod":
			meta := maps.Clone(metaOf(d))
			labels := map[string]any{}
			g.label(labels, "color", "red", "blue")
			g.label(labels, "app", "cart", "shop")
			meta["labels"] = labels
			docs[i] = doc{"apiVersion": d["apiVersion"], "kind": d["kind"], "metadata": meta}
			if d["spec"] != nil {
				docs[i]["spec"] = d["spec"]
			}
		case "Tier":
			docs[i] = doc{"apiVersion": d["apiVersion"], "kind": d["kind"], "metadata": d["metadata"], "spec": map[string]any{"order": g.IntN(2_000_000)}}
		default:
			docs = g.edit(docs, i)
		}
	}
	for _, d := range g.madeTiers() {
		if !slices.ContainsFunc(docs, func(other doc) bool { return other["kind"] == "Tier" && metaOf(other)["name"] == metaOf(d)["name"] }) {
			docs = append(docs, d)
		}
	}
	return docs
}

// edit leaves a policy out, adds another, or gives it the content of a new one of its kind.
func (g *generator) edit(docs []doc, i int) []doc {
	switch other := g.policy(1); {
	case g.chance(3):
		return slices.Delete(docs, i, i+1)
	case other["kind"] == docs[i]["kind"] && other["apiVersion"] == docs[i]["apiVersion"]:
		other["metadata"] = docs[i]["metadata"]
		docs[i] = other
		return docs
	default:
		return append(docs, other)
	}
}

// compare compares two worlds, of which every other one is not complete.
func compare(t *testing.T, g *generator, base, head []doc) *network.Difference {
	t.Helper()
	before, after := sideOf(t, manifests(base)), sideOf(t, manifests(head))
	before.Complete = g.used%2 == 0
	after.Complete = before.Complete
	return network.Compare(before, after)
}

// told is all that a difference says, without positions.
func told(d *network.Difference) []string {
	var out []string
	for _, c := range d.Changes {
		out = append(out, fmt.Sprint(c.Opened, c.Sure, c.From, c.To, c.Ports, c.Except, c.Targets, c.Sources, c.Pairs, editsOf(c.Edits)))
	}
	for _, e := range d.Exposed {
		out = append(out, fmt.Sprint("exposed ", e.Workload, e.Name, e.Direction, editsOf(e.Edits)))
	}
	for _, f := range d.Filtered {
		out = append(out, fmt.Sprint("filtered ", f.Before, f.After, editsOf([]network.Edit{f.Edit})))
	}
	return out
}

func editsOf(edits []network.Edit) (out []string) {
	for _, e := range edits {
		for _, o := range []*loader.Object{e.Before, e.After} {
			if o != nil {
				out = append(out, o.ID.String())
				break
			}
		}
	}
	return out
}

// A world does not differ from itself.
func TestSame(t *testing.T) {
	pairs(t, func(t *testing.T, g *generator, base, _ []doc) {
		if d := told(compare(t, g, base, base)); len(d) > 0 {
			t.Errorf("%q\nin this world:\n%s", d, manifests(base))
		}
	})
}

// Revisions that are equal in all that is read have no differences.
func TestEqual(t *testing.T) {
	pairs(t, func(t *testing.T, g *generator, base, head []doc) {
		equal := func(base, head []doc) bool {
			return network.Equal(sideOf(t, manifests(base)), sideOf(t, manifests(head)))
		}
		if !equal(base, base) {
			t.Errorf("not equal to itself:\n%s", manifests(base))
		}
		if d := told(compare(t, g, base, head)); len(d) > 0 && equal(base, head) {
			t.Errorf("equal, and yet %q differs between\n%s\nand\n%s", d, manifests(base), manifests(head))
		}
	})
}

// What one direction of time opens, the other cuts.
func TestMirror(t *testing.T) {
	pairs(t, func(t *testing.T, g *generator, base, head []doc) {
		mirrored := func(base, head []doc, flip bool) []string {
			before, after := sideOf(t, manifests(base)), sideOf(t, manifests(head))
			before.Complete = g.used%2 == 0
			after.Complete = before.Complete
			return network.Differing(before, after, flip)
		}
		fails := func(base, head []doc) bool {
			return !slices.Equal(mirrored(base, head, false), mirrored(head, base, true))
		}
		if fails(base, head) {
			base, head = shrinkPair(base, head, fails)
			t.Errorf("forth:\n%s\nback:\n%s\nbetween\n%s\nand\n%s", strings.Join(mirrored(base, head, false), "\n"), strings.Join(mirrored(head, base, true), "\n"), manifests(base), manifests(head))
		}
	})
}

// The order of manifests means nothing.
func TestOrder(t *testing.T) {
	pairs(t, func(t *testing.T, g *generator, base, head []doc) {
		fails := func(base, head []doc) bool {
			r := rand.New(rand.NewPCG(uint64(len(base)), 31))
			shuffled := func(docs []doc) []doc {
				docs = slices.Clone(docs)
				r.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
				return docs
			}
			return !slices.Equal(told(compare(t, g, base, head)), told(compare(t, g, shuffled(base), shuffled(head))))
		}
		if fails(base, head) {
			base, head = shrinkPair(base, head, fails)
			t.Errorf("another order of manifests gives another difference than %q between\n%s\nand\n%s", told(compare(t, g, base, head)), manifests(base), manifests(head))
		}
	})
}

// shrinkPair leaves out whatever the failure does not need: first what both worlds have, then the rest.
func shrinkPair(base, head []doc, fails func(base, head []doc) bool) (before, after []doc) {
	for i := 0; i < len(base); {
		d := base[i]
		same := func(other doc) bool {
			return other["kind"] == d["kind"] && fmt.Sprint(metaOf(other)["namespace"], metaOf(other)["name"]) == fmt.Sprint(metaOf(d)["namespace"], metaOf(d)["name"])
		}
		fewer, rest := slices.Delete(slices.Clone(base), i, i+1), slices.DeleteFunc(slices.Clone(head), same)
		if !needed(d, fewer) && !needed(d, rest) && fails(fewer, rest) {
			base, head = fewer, rest
			continue
		}
		i++
	}
	base = shrinkAlone(base, func(docs []doc) bool { return fails(docs, head) })
	return base, shrinkAlone(head, func(docs []doc) bool { return fails(base, docs) })
}

// shrinkAlone shrinks the policies of one side; both keep the same workloads.
func shrinkAlone(docs []doc, fails func([]doc) bool) []doc {
	fixed := slices.DeleteFunc(slices.Clone(docs), func(d doc) bool { return d["kind"] != "Pod" && d["kind"] != "Namespace" })
	rest := slices.DeleteFunc(slices.Clone(docs), func(d doc) bool { return d["kind"] == "Pod" || d["kind"] == "Namespace" })
	return slices.Concat(fixed, shrink(rest, func(docs []doc) bool { return fails(slices.Concat(fixed, docs)) }))
}

// kindOfChange says how a connection differs.
type kindOfChange struct{ opened, sure bool }

// changeOf compares two decisions.
func changeOf(before, after fact.Fact) (k kindOfChange, differs bool) {
	return kindOfChange{opened: after > before, sure: before != fact.Unknown && after != fact.Unknown}, before != after
}

// probe is an end of connections in two worlds that were made apart.
type probe struct {
	name          string
	before, after int
	form          network.Form
}

// probes are the workloads, one address of each part of all addresses, and the nodes.
func probes(t *testing.T, before, after *network.World) []probe {
	t.Helper()
	var out []probe
	for i := range before.Len() {
		e := before.Endpoint(i)
		switch e.Form {
		case network.Pods:
			if j, ok := after.Workload(e.Workload); ok {
				out = append(out, probe{e.String(), i, j, e.Form})
			}
		case network.Nodes:
			for j := range after.Len() {
				if after.Endpoint(j).Form == network.Nodes {
					out = append(out, probe{e.String(), i, j, e.Form})
				}
			}
		case network.Addresses, network.Names, network.Entities: // addresses are found by an example
		}
	}
	for _, text := range askedAddresses {
		out = append(out, probe{text, outside(t, before, text), outside(t, after, text), network.Addresses})
	}
	return out
}

// probed are the pairs that can differ: a node always reaches its pods, and no policy is asked between two
// ends outside the cluster.
func probed(ends []probe, visit func(from, to probe)) {
	for _, from := range ends {
		for _, to := range ends {
			if to.form == network.Pods && from.form != network.Nodes || to.form != network.Pods && from.form == network.Pods {
				visit(from, to)
			}
		}
	}
}

// probedPorts are one port of each range into which the numbers of the generator divide all.
func probedPorts() []network.Range {
	out := []network.Range{{Protocol: network.Other}}
	for _, p := range []network.Protocol{network.TCP, network.UDP, network.SCTP} {
		for _, n := range []int{0, 1, 53, 54, 80, 81, 443, 444, 8000, 8080, 8081, 9000, 9001} {
			out = append(out, network.Range{Protocol: p, From: n, To: n})
		}
	}
	return out
}

// The changes of a comparison are those that one finds by asking two worlds, each made alone, about every
// connection: there are changes of a kind where connections differ so, what a change says of two workloads
// holds, and so does what it says of its targets.
func TestChanges(t *testing.T) {
	ports := probedPorts()
	pairs(t, func(t *testing.T, _ *generator, base, head []doc) {
		fails := func(base, head []doc) bool { return wrongChanges(t, base, head, ports) != "" }
		if fails(base, head) {
			base, head = shrinkPair(base, head, fails)
			t.Errorf("%s\nbetween\n%s\nand\n%s", wrongChanges(t, base, head, ports), manifests(base), manifests(head))
		}
	})
}

func wrongChanges(t *testing.T, base, head []doc, ports []network.Range) string {
	t.Helper()
	one, two := sideOf(t, manifests(base)), sideOf(t, manifests(head))
	before, after := network.New(one), network.New(two)
	ends := probes(t, before, after)
	kinds, of := map[kindOfChange]string{}, map[kindOfChange]map[string]bool{}
	decided := func(from, to probe, port network.Range) fact.Fact {
		return after.Connect(from.after, to.after, port).Allowed
	}
	probed(ends, func(from, to probe) {
		for _, port := range ports {
			if k, yes := changeOf(before.Connect(from.before, to.before, port).Allowed, decided(from, to, port)); yes {
				if kinds[k] = fmt.Sprintf("%s to %s, %s", from.name, to.name, port); of[k] == nil {
					of[k] = map[string]bool{}
				}
				of[k][from.name], of[k][to.name] = true, true
			}
		}
	})
	changes := network.Compare(one, two).Changes
	for _, c := range changes {
		k := kindOfChange{c.Opened, c.Sure}
		if kinds[k] == "" {
			return fmt.Sprintf("no connection is as in %+v", c)
		}
		for _, id := range c.Targets {
			if !of[k][id.Kind+" "+id.Namespace+"/"+id.Name] {
				return fmt.Sprintf("no connection of %s is as in %+v", id, c)
			}
		}
		if wrong := wrongChange(c, ends, ports, decided); wrong != "" {
			return wrong
		}
	}
	for k, example := range kinds {
		if !slices.ContainsFunc(changes, func(c network.Change) bool { return c.Opened == k.opened && c.Sure == k.sure }) {
			return fmt.Sprintf("no change tells of %s, %+v", example, k)
		}
	}
	return ""
}

// wrongChange returns the first connection between two workloads or addresses that a sure change names,
// and about which the second revision decides otherwise than the change tells. What the first revision
// decides may be the same already: few words matter more there.
func wrongChange(c network.Change, ends []probe, ports []network.Range, after func(from, to probe, port network.Range) fact.Fact) (wrong string) {
	probed(ends, func(from, to probe) {
		excepted := slices.ContainsFunc(c.Except, func(text string) bool {
			return !strings.HasPrefix(text, "Pod ") || strings.Contains(text, from.name) || strings.Contains(text, to.name)
		})
		if left := leftOut(c, from, to); left != "" {
			for _, port := range ports {
				if slices.ContainsFunc(c.Ports, func(r network.Range) bool {
					return r.Protocol == port.Protocol && r.From <= port.From && port.To <= r.To
				}) && after(from, to, port) == fact.True {
					wrong = fmt.Sprintf("%s to %s, %s is allowed, and not among %s of %+v", from.name, to.name, port, left, c)
				}
			}
		}
		if !c.Sure || excepted || !slices.Contains(c.From, from.name) || !slices.Contains(c.To, to.name) {
			return
		}
		for _, port := range ports {
			within := slices.ContainsFunc(c.Ports, func(r network.Range) bool {
				return r.Protocol == port.Protocol && r.From <= port.From && port.To <= r.To
			})
			if within && after(from, to, port) != fact.Of(c.Opened) {
				wrong = fmt.Sprintf("%s to %s, %s is not as in %+v", from.name, to.name, port, c)
			}
		}
	})
	return wrong
}

// leftOut returns the words for those that can still connect, or to which one still can, if a change has some and the
// workload at that end is not among them.
func leftOut(c network.Change, from, to probe) string {
	still, end, other, others := c.StillFrom, from, to, c.To
	if len(c.StillTo) > 0 {
		still, end, other, others = c.StillTo, to, from, c.From
	}
	text := strings.Join(still, ", ")
	namespace, _, _ := strings.Cut(strings.TrimPrefix(end.name, "Pod "), "/")
	among := strings.Contains(text, end.name) || strings.Contains(text, "namespace "+namespace) || strings.Contains(text, "every pod") || strings.Contains(text, network.Anything)
	if text == "" || end.form != network.Pods || among || !slices.Contains(others, other.name) || end.name == other.name {
		return ""
	}
	return text
}
