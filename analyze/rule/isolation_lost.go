package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var isolationLost = &Rule{
	ID:       "isolation-lost",
	Title:    "A workload is no longer isolated by any network policy",
	Severity: plan.Error,
	Why: "A network policy isolated the pods of this workload: connections that no rule allowed were denied. No policy selects the " +
		"pods in this direction now, so everything that no rule denies is allowed. Workloads of a namespace that lose it by the same edit are " +
		"one finding. A warning where no workload of the input has such pods, and all of it is rendered, and where a release of the " +
		"namespace that is not rendered has values about network policies.",
	Fix:      "Keep a policy that selects the pods, or restore the labels by which a policy selected them.",
	Security: true,
	Opens:    true,
	Compare:  compareIsolation,
}

func compareIsolation(p *Pair, report Report) {
	groups := together(p.Connections().exposed)
	if len(groups) == 0 {
		return
	}
	workloads, unrendered := workloadsOf(p.Head), mayIsolate(p)
	for _, group := range groups {
		e := group[0]
		target := e.Workload.String()
		if (len(group) > 1 || e.Workload == (loader.ID{})) && len(e.causes) > 0 {
			target = e.causes[0].Object
		}
		hit := Hit{
			Target: target, Key: []string{e.Name, e.Direction.String()},
			Title:  fmt.Sprintf("%s no longer isolated: %s", subject(group, workloads), openTo[e.Direction]),
			Detail: fmt.Sprintf("no network policy isolates %s for %s", podsOf(group), e.Direction),
		}
		if e.Workload == (loader.ID{}) && len(p.Head.Run.Environment.Gaps) == 0 && len(workloads) > 0 {
			hit.Severity = plan.Warning // all that is known runs other pods
		}
		if e.New {
			hit.Severity = plan.Note
			hit.Detail += "; no policy was about all of their labels before, and one selects other pods by them now"
			hit.Title = "perhaps " + hit.Title
		} else if slices.ContainsFunc(group, func(e exposure) bool { return p.unreadable(e.Edits) }) {
			hit.Severity = plan.Warning
			hit.Title = "perhaps " + hit.Title
		} else if by := inNamespaceOf(group, unrendered); by != nil {
			hit.Severity = plan.Warning
			hit.Title = "perhaps " + hit.Title
			hit.Detail += fmt.Sprintf("; %s is not rendered and may have one", by)
		}
		hit.At, hit.InBase = p.causePlace(e.causes)
		report(hit)
	}
}

// mayIsolate returns what is rendered in neither revision and has values about network policies, by namespace.
func mayIsolate(p *Pair) map[string]*loader.Gap {
	type known struct {
		by      loader.ID
		content [16]byte
	}
	was := map[known]bool{}
	for _, g := range p.Base.Run.Environment.Gaps {
		was[known{g.By, g.Content}] = true
	}
	out := map[string]*loader.Gap{}
	for i := range p.Head.Run.Environment.Gaps {
		g := &p.Head.Run.Environment.Gaps[i]
		if g.Namespace != "" && out[g.Namespace] == nil && was[known{g.By, g.Content}] && g.SetsNetworkPolicies() {
			out[g.Namespace] = g
		}
	}
	return out
}

// inNamespaceOf returns what is in the namespace of an edited policy of workloads, or nil.
func inNamespaceOf(group []exposure, by map[string]*loader.Gap) *loader.Gap {
	for _, e := range group {
		for _, edit := range e.Edits {
			for _, o := range []*loader.Object{edit.Before, edit.After} {
				if o != nil && by[o.ID.Namespace] != nil {
					return by[o.ID.Namespace]
				}
			}
		}
	}
	return nil
}

// together groups the workloads of a namespace that lose their isolation in one direction by the same edits. Pods without a
// manifest and renamed workloads stay alone.
func together(list []exposure) [][]exposure {
	var out [][]exposure
	for _, e := range list {
		alone := e.Workload == (loader.ID{}) || e.Formerly != ""
		i := slices.IndexFunc(out, func(group []exposure) bool {
			first := group[0]
			return first.Workload != (loader.ID{}) && first.Formerly == "" && first.Workload.Namespace == e.Workload.Namespace &&
				first.Direction == e.Direction && slices.Equal(first.causes, e.causes)
		})
		if alone || i < 0 {
			out = append(out, []exposure{e})
			continue
		}
		out[i] = append(out[i], e)
	}
	return out
}

// workloadsOf counts what an environment, which may be nil, declares to run in pods, by namespace.
func workloadsOf(s *Environment) map[string]int {
	out := map[string]int{}
	if s == nil {
		return out
	}
	for _, o := range s.network().Objects {
		if network.Workload(o.ID.Group, o.ID.Kind) {
			out[o.ID.Namespace]++
		}
	}
	return out
}

// subject begins a sentence about workloads, or about pods that may no longer exist. workloads counts all workloads of
// head by namespace.
func subject(group []exposure, workloads map[string]int) string {
	e := group[0]
	switch {
	case e.Workload == (loader.ID{}):
		return e.Name + ", if there still are such pods, are"
	case e.Formerly != "":
		return e.Name + ", which was " + e.Formerly + ", is"
	case len(group) == 1:
		return e.Name + " is"
	case len(group) == workloads[e.Workload.Namespace]:
		return fmt.Sprintf("all %s of namespace %s are", spelling.Count(len(group), "workload"), e.Workload.Namespace)
	}
	return spelling.AtMost(maxSubjects, namesOf(group)) + " are"
}

// maxSubjects is how many workloads a title names.
const maxSubjects = 2

func namesOf(group []exposure) []string {
	out := make([]string, len(group))
	for i := range group {
		out[i] = group[i].Name
	}
	return out
}

func podsOf(group []exposure) string {
	switch {
	case group[0].Workload == (loader.ID{}):
		return "them"
	case len(group) > 1:
		return "the pods of " + spelling.Few(namesOf(group))
	}
	return "its pods"
}

var openTo = map[network.Direction]string{
	network.Ingress: "every connection is accepted",
	network.Egress:  "connections to everything are allowed",
}
