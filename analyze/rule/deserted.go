package rule

import (
	"slices"
	"sync"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// rewiredWorkload is a workload of base whose pods have other labels or ports in head, no longer run, or are gone.
type rewiredWorkload struct {
	before, after *loader.Object
	// how says what happens to its pods.
	how string
}

// What happens to the pods of a workload, in words.
const (
	scaledToNone = "runs no pods any more (replicas: 0)"
	removed      = "is removed"
	relabelled   = "has pods with other labels"
)

// rewiredWorkloads returns the workloads of base to whose pods a Service may no longer lead. What a deployer leaves in the cluster is
// none of them.
func rewiredWorkloads(p *Pair) []rewiredWorkload {
	var out []rewiredWorkload
	known, deployers := loader.ByID(p.Head.Run.Environment.Workloads), p.Head.deployers()
	for _, before := range p.Base.Run.Environment.Workloads {
		if network.Endpoints(before.ID) || network.IsPolicy(before.ID) {
			continue
		}
		labels, ports, runs := network.PodsOf(before)
		after := known[before.ID]
		if !runs || after != nil && after.Digest == before.Digest {
			continue
		}
		if after == nil {
			if !givenBy(before, p.Unreadable[effective.Head]) && !p.Difference.Unrendered.On(int(effective.Head), before) && (before.Deployer == nil || before.Deployer.KeptBy(deployers) == nil) {
				out = append(out, rewiredWorkload{before: before, how: removed})
			}
			continue
		}
		switch is, now, run := network.PodsOf(after); {
		case !run:
			out = append(out, rewiredWorkload{before, after, scaledToNone})
		case !labelsKept(labels, is):
			out = append(out, rewiredWorkload{before, after, relabelled})
		case !slices.Equal(ports, now):
			out = append(out, rewiredWorkload{before, after, ""})
		}
	}
	return out
}

// labelsKept reports whether pods still have all labels.
func labelsKept(before, after map[string]string) bool {
	for key, value := range before {
		if after[key] != value {
			return false
		}
	}
	return true
}

// podLabel is a label of pods in a namespace; a placeholder has no value. Pods of which some labels are not known have no key.
type podLabel struct{ namespace, key, value string }

// podIndex finds workloads by the labels of their pods.
type podIndex[T any] map[podLabel][]T

func (x podIndex[T]) add(o *loader.Object, item T) {
	labels, whole := network.LabelsOf(o)
	if !whole {
		x[podLabel{namespace: o.ID.Namespace}] = append(x[podLabel{namespace: o.ID.Namespace}], item)
		return
	}
	for key, value := range labels {
		if loader.Placeholder(value) {
			value = ""
		}
		at := podLabel{o.ID.Namespace, key, value}
		x[at] = append(x[at], item)
	}
}

// candidates are those that a Service with a selector may select.
func (x podIndex[T]) candidates(service *loader.Object) []T {
	selector := service.Spec().Get("selector").FieldList()
	if len(selector) == 0 {
		return nil
	}
	of := func(key, value string) []T { return x[podLabel{service.ID.Namespace, key, value}] }
	return slices.Concat(of(selector[0].Key, selector[0].Value.Text), of(selector[0].Key, ""), of("", ""))
}

// desertion finds the Services that stay as they are and whose pods go away.
type desertion struct {
	pair    *Pair
	rewired podIndex[rewiredWorkload]
	// head indexes the workloads of head; it is made once a Service is asked about.
	head func() podIndex[*loader.Object]
}

func newDesertion(p *Pair) *desertion {
	d := &desertion{pair: p, rewired: podIndex[rewiredWorkload]{}}
	for _, w := range rewiredWorkloads(p) {
		d.rewired.add(w.before, w)
	}
	d.head = sync.OnceValue(func() podIndex[*loader.Object] {
		out := podIndex[*loader.Object]{}
		for _, w := range p.Head.Run.Environment.Workloads {
			if !network.Endpoints(w.ID) && !network.IsPolicy(w.ID) {
				out.add(w, w)
			}
		}
		return out
	})
	return d
}

// reaches returns the workloads of head whose pods run and that a Service may select.
func (d *desertion) reaches(service *loader.Object) []*loader.Object {
	return slices.DeleteFunc(d.head().candidates(service), func(w *loader.Object) bool {
		_, _, run := network.PodsOf(w)
		return !run || network.SelectedBy(service, w) == fact.False
	})
}

// of says where the pods of a Service are gone, or the port that it names.
func (d *desertion) of(service *loader.Object) (Hit, bool) {
	for _, w := range d.rewired.candidates(service) {
		if network.SelectedBy(service, w.before) != fact.True {
			continue
		}
		port := lostPort(service, w)
		if w.how == relabelled && network.SelectedBy(service, w.after) != fact.False && port == nil || w.how == "" && port == nil {
			continue
		}
		h := Hit{Target: w.before.ID.String(), At: w.before.First(), InBase: w.after == nil}
		if w.after != nil {
			h.At = w.after.First()
			if replicas := w.after.Root.Get("spec", "replicas"); w.how == scaledToNone && replicas != nil {
				h.At = w.after.Position(replicas)
			}
		}
		reaches := d.reaches(service)
		if len(reaches) == 0 {
			if w.how == "" {
				continue
			}
			perhaps := perhapsUnseen(&h, d.pair)
			h.Title = say("%s %s: %sno pods are left behind %s", w.before.ID, w.how, perhaps, service.ID)
			switch {
			case perhaps != "" || w.how == relabelled:
			case w.how == scaledToNone:
				h.Severity, h.Detail = plan.Warning, "something that scales it may start some"
			case w.how == removed:
				h.Severity, h.Detail = plan.Warning, "an object of a kind that is not read may have the pods"
			}
			return h, true
		}
		if port != nil && !anyDeclares(port.Get("targetPort").Text, reaches) {
			h.Title = say("no container of %s declares port %s any more, to which port %s of %s leads", w.before.ID, port.Get("targetPort").Text, text(port.Get("port")), service.ID)
			return h, true
		}
	}
	return Hit{}, false
}

// lostPort returns the first port of a Service whose targetPort is a name that a workload of base declares and that of head does not,
// or nil.
func lostPort(service *loader.Object, w rewiredWorkload) *loader.Value {
	_, ports, _ := network.PodsOf(w.before)
	var now []string
	if w.after != nil {
		_, now, _ = network.PodsOf(w.after)
	}
	for _, port := range service.Spec().List("ports") {
		to := port.Get("targetPort")
		if to != nil && !to.Opaque && to.Shape == loader.String && network.DeclaresPort(ports, to.Text) && !network.DeclaresPort(now, to.Text) {
			return port
		}
	}
	return nil
}
