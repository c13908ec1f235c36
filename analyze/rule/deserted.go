package rule

import (
	"slices"

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

// scaledToNone says that a workload asks for no pods.
const scaledToNone = "runs no pods any more (replicas: 0)"

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
				out = append(out, rewiredWorkload{before: before, how: "is removed"})
			}
			continue
		}
		switch is, now, run := network.PodsOf(after); {
		case !run:
			out = append(out, rewiredWorkload{before, after, scaledToNone})
		case !labelsKept(labels, is):
			out = append(out, rewiredWorkload{before, after, "has pods with other labels"})
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

// deserted says where the pods of a Service that does not change itself are gone, or the port that it names.
func deserted(service *loader.Object, rewired []rewiredWorkload, p *Pair) (Hit, bool) {
	for _, w := range rewired {
		if network.SelectedBy(service, w.before) != fact.True {
			continue
		}
		reaches := selectedBy(service, p.Head, true)
		h := Hit{Target: w.before.ID.String(), At: w.before.First(), InBase: w.after == nil}
		if w.after != nil {
			h.At = w.after.First()
			if replicas := w.after.Root.Get("spec", "replicas"); replicas != nil && replicas.Text == "0" {
				h.At = w.after.Position(replicas)
			}
		}
		if len(reaches) == 0 {
			h.Title = say("%s %s: no pods are left behind %s", w.before.ID, w.how, service.ID)
			if w.how == scaledToNone {
				h.Severity, h.Detail = plan.Warning, "something that scales it may start some"
			}
			return perhapsUnseen(h, p), w.how != ""
		}
		_, ports, _ := network.PodsOf(w.before)
		for _, port := range service.Spec().List("ports") {
			to := port.Get("targetPort")
			if to == nil || to.Opaque || to.Shape != loader.String || !network.DeclaresPort(ports, to.Text) || anyDeclares(to.Text, reaches) {
				continue
			}
			h.Title = say("no container of %s declares port %s any more, to which port %s of %s leads", w.before.ID, to.Text, text(port.Get("port")), service.ID)
			return h, true
		}
	}
	return Hit{}, false
}
