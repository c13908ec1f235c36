package rule

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// BackendWithoutPods is the id of the rule for Services that no longer lead to pods.
const BackendWithoutPods = "backend-without-pods"

var backendWithoutPods = &Rule{
	ID:       BackendWithoutPods,
	Title:    "The Service of a route no longer leads to its pods",
	Severity: plan.Error,
	Weighs:   true,
	Why: "Before the change its selector selected the pods of a workload; now it selects none, because the selector, the labels or the number of " +
		"the pods change or the workload is removed, or its targetPort names no port of their containers. The Service has no endpoints then, and the gateway answers for the route with 503 or " +
		"500. A targetPort that is a number and no container declares is a warning, because a container may listen where it declares " +
		"nothing, and so are replicas: 0, because something may scale the workload, a workload that is removed, because one of a kind that is not read may take its place, and a selector where something of the environment is not rendered. Workloads that are not in the input are not known.",
	Fix:     "Correct spec.selector or the targetPort of the Service, or change the labels and ports of the pods with it.",
	Compare: compareEndpoints,
}

func compareEndpoints(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil || p.Base.Run == p.Head.Run {
		return
	}
	was, seen := objectsOf(p.Base), map[loader.ID]bool{}
	deserted := newDesertion(p)
	p.Head.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		for _, e := range rule.Down {
			service := e.Via
			if service == nil || service.Object == nil || service.Target.Group != "" || service.Target.Kind != "Service" || seen[service.Object.ID] {
				continue
			}
			o := service.Object
			seen[o.ID] = true
			before := was[o.ID]
			if before == nil || o.Spec().Get("selector") == nil {
				continue
			}
			h, lost := Hit{}, false
			if before.Digest == o.Digest {
				h, lost = deserted.of(o)
			} else {
				h, lost = leadsNowhere(before, o, p)
				h.Target = rule.Owner.String()
			}
			if lost {
				h.Object, h.Subject, h.Involves = o, rule.Spoken(), []loader.ID{rule.Object.ID}
				h.Key = []string{o.ID.String()}
				report(h)
			}
		}
	})
}

// leadsNowhere says where the requests to a Service that changes no longer reach the pods which they reached before.
func leadsNowhere(before, after *loader.Object, p *Pair) (Hit, bool) {
	known := loader.ByID(p.Head.Run.Environment.Workloads)
	reached := slices.DeleteFunc(selectedBy(before, p.Base, false), func(w *loader.Object) bool { return known[w.ID] == nil })
	if len(reached) == 0 {
		return Hit{}, false
	}
	reaches := selectedBy(after, p.Head, true)
	if len(reaches) == 0 {
		selector := after.Spec().Get("selector")
		h := Hit{At: after.Position(selector)}
		h.Title = say("%s %sno longer selects any pods (%s); before, it selected those of %s", after.ID, perhapsUnseen(&h, p), selectorText(selector), reached[0].ID.Spoken()+spelling.More(len(reached)-1))
		return h, true
	}
	for _, port := range after.Spec().List("ports") {
		to := cmp.Or(port.Get("targetPort"), port.Get("port"))
		if to == nil || to.Opaque || anyDeclares(to.Text, reaches) || !anyDeclares(ledTo(before, port), reached) {
			continue
		}
		h := Hit{At: after.Position(to), Title: say("port %s of %s leads to port %s, which no container of %s declares", text(port.Get("port")), after.ID, text(to), reaches[0].ID.Spoken()+spelling.More(len(reaches)-1))}
		if to.Shape == loader.Int {
			h.Severity = plan.Warning
		}
		return h, true
	}
	return Hit{}, false
}

// perhapsUnseen makes a finding about missing pods a warning where something that is not rendered may have them, and returns the word
// for its title then.
func perhapsUnseen(h *Hit, p *Pair) string {
	if len(p.Head.Run.Environment.Gaps) == 0 {
		return ""
	}
	h.Severity, h.Detail = plan.Warning, "something that is not rendered may have the pods"
	return "perhaps "
}

// selectedBy returns the workloads of an environment whose pods run and that a Service selects, or may select if it is not known.
func selectedBy(service *loader.Object, s *Environment, may bool) (out []*loader.Object) {
	for _, w := range s.Run.Environment.Workloads {
		if network.Endpoints(w.ID) || network.IsPolicy(w.ID) {
			continue
		}
		selects := network.SelectedBy(service, w)
		if _, _, run := network.PodsOf(w); run && (selects == fact.True || may && selects == fact.Unknown) {
			out = append(out, w)
		}
	}
	return out
}

// ledTo returns where the port of the same number, or else the only port, of a Service led.
func ledTo(service *loader.Object, port *loader.Value) string {
	ports := service.Spec().List("ports")
	for _, p := range ports {
		to := cmp.Or(p.Get("targetPort"), p.Get("port"))
		if to != nil && (loader.Equal(p.Get("port"), port.Get("port")) || len(ports) == 1) {
			return to.Text
		}
	}
	return ""
}

// anyDeclares reports whether a container of the workloads declares a port of this name or number.
func anyDeclares(port string, workloads []*loader.Object) bool {
	return slices.ContainsFunc(workloads, func(w *loader.Object) bool {
		_, ports, _ := network.PodsOf(w)
		return network.DeclaresPort(ports, port)
	})
}

// selectorText writes a selector of a Service.
func selectorText(selector *loader.Value) string {
	var out []string
	for _, f := range selector.FieldList() {
		out = append(out, f.Key+"="+f.Value.Text)
	}
	return spelling.AtMost(3, out)
}
