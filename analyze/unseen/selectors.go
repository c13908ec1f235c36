package unseen

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// selectors finds policies that select pods by labels and select others now: because their selector is another one, or
// because the labels of pods are. The analysis knows the pods of Services by the labels in the Services' selectors alone.
func selectors(s *search, pair applied.Pair, told map[string]bool) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	before, pods := map[loader.ID]*loader.Object{}, podsOfBoth(pair)
	for _, e := range s.edits.of(pair) {
		before[e.Object().ID] = e.Was
	}
	relabelled := slices.DeleteFunc(slices.Clone(pods), func(p pod) bool { return maps.Equal(p.labels[0], p.labels[1]) })
	selecting := map[loader.ID][]string{}
	for _, o := range pair.Head.Objects {
		was, edited := before[o.ID]
		if !edited {
			was = o
		}
		if was == nil || o.Context || told[o.ID.String()] {
			continue
		}
		b, a := podSelector(s.Table, was), podSelector(s.Table, o)
		if b == nil || a == nil {
			if b != nil && !ofGateway(b) || a != nil && !ofGateway(a) { // it had or has another form of target
				s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), o.Position(cmp.Or(a, o.Spec())), []string{"the pods that it selects"}).Global = true
			}
			continue
		}
		if !loader.Equal(b, a) {
			if selectsOthers(o.ID.Namespace, b, a, pods) {
				s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), o.Position(a), []string{"the pods that it selects"}).Global = true
			}
			continue
		}
		for i := range relabelled {
			if p := &relabelled[i]; p.in(o.ID.Namespace) && matches(a, p.labels[0]) != matches(a, p.labels[1]) {
				selecting[p.id] = append(selecting[p.id], o.ID.Spoken())
			}
		}
	}
	for i := range relabelled {
		if by := selecting[relabelled[i].id]; len(by) > 0 {
			slices.Sort(by)
			s.add(relabelled[i].id.Spoken(), plan.EditChanged, pair.Name(), relabelled[i].at, by).Relabelled = true
		}
	}
}

// ofGateway reports whether labels select the pods of a Gateway, which is what naming it does (Gateway API, GEP-1762).
func ofGateway(labels *loader.Value) bool {
	return len(labels.FieldList()) == 1 && labels.Get(hierarchy.GatewayNameLabel) != nil
}

// podSelector returns the labels by which a policy selects pods, or nil.
func podSelector(t *catalogue.Table, o *loader.Object) *loader.Value {
	k := t.Kind(o.ID.Group, o.ID.Kind)
	if k == nil {
		return nil
	}
	for _, ref := range k.Target.Refs {
		if ref.Form == catalogue.WorkloadSelector {
			if labels := o.Spec().At(ref.Path); len(labels.FieldList()) > 0 {
				return labels
			}
		}
	}
	return nil
}

// pod is a workload of both revisions with the labels of its pods in each.
type pod struct {
	id     loader.ID
	at     loader.Position
	labels [2]map[string]string
}

func (p *pod) in(namespace string) bool {
	return p.id.Namespace == namespace || namespace == catalogue.IstioRoot
}

func podsOfBoth(pair applied.Pair) []pod {
	was := loader.ByID(pair.Base.Workloads)
	var out []pod
	for _, o := range pair.Head.Workloads {
		if before := was[o.ID]; before != nil {
			p := pod{id: o.ID, at: o.First()}
			p.labels[0], _, _ = network.PodsOf(before)
			p.labels[1], _, _ = network.PodsOf(o)
			out = append(out, p)
		}
	}
	return out
}

// selectsOthers reports whether two selectors of a namespace may select different pods. It is so where no pods are known.
func selectsOthers(namespace string, before, after *loader.Value, pods []pod) bool {
	known := false
	for i := range pods {
		p := &pods[i]
		if !p.in(namespace) {
			continue
		}
		if known = true; matches(before, p.labels[0]) != matches(after, p.labels[1]) {
			return true
		}
	}
	return !known
}

func matches(selector *loader.Value, labels map[string]string) bool {
	return !slices.ContainsFunc(selector.FieldList(), func(f loader.Field) bool {
		value, has := labels[f.Key]
		return !has || value != f.Value.Text
	})
}
