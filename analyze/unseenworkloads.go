package analyze

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Rewires reports whether a change of workloads may change where the requests of a Service go: pods that are no longer
// there, that have other labels or ports, or run no more.
func Rewires(before, after []*loader.Object) bool {
	is := byIdentity(after)
	for _, o := range before {
		if now := is[o.ID]; now == nil || reach(now) != reach(o) {
			return true
		}
	}
	return false
}

// behindServices are the workloads and the written endpoints of an environment.
func behindServices(env *loader.Environment) map[loader.ID]*loader.Object {
	out := byIdentity(env.Workloads)
	for _, o := range env.Objects {
		if network.Endpoints(o.ID) {
			out[o.ID] = o
		}
	}
	return out
}

func byIdentity(objects []*loader.Object) map[loader.ID]*loader.Object {
	out := map[loader.ID]*loader.Object{}
	for _, o := range objects {
		out[o.ID] = o
	}
	return out
}

// reach is what of a workload decides which Services lead to it, and where.
func reach(o *loader.Object) string {
	if network.Endpoints(o.ID) {
		digest := loader.Digest(loader.ID{}, &loader.Value{Shape: loader.List, Items: []*loader.Value{
			o.Root.Get("metadata", "labels", serviceName), o.Root.Get("endpoints"), o.Root.Get("ports"), o.Root.Get("subsets"),
		}})
		return hex.EncodeToString(digest[:])
	}
	labels, ports, runs := network.PodsOf(o)
	return fmt.Sprintf("%v %q %t", labels, ports, runs)
}

// serviceName is the label by which an EndpointSlice belongs to a Service (Kubernetes discovery/v1).
const serviceName = "kubernetes.io/service-name"

// workloads finds Services that something sends requests to and whose pods or endpoints change.
func (s *search) workloads(p *plan.Plan, pairs []environmentPair) {
	for i, pair := range pairs {
		if pair.base == nil || pair.head == nil || pair.base == pair.head {
			continue
		}
		changed := rewirings(behindServices(pair.base), behindServices(pair.head))
		if len(changed) == 0 {
			continue
		}
		by, services, told := senders(pair.head), byID(pair.base), mentioned(&p.Environments[i])
		for _, service := range pair.head.Objects {
			to := by[service.ID]
			if len(to) == 0 || services[service.ID] == nil || told[service.ID.String()] {
				continue
			}
			for _, r := range changed {
				if says := r.of(service); len(says) > 0 {
					o, verb := r.any()
					s.add(o.ID.Kind+" "+o.ID.Namespace+"/"+o.ID.Name+" behind Service "+service.ID.Namespace+"/"+service.ID.Name, verb, pair.name(), o.First(), says)
					s.found[len(s.found)-1].Behind = to
				}
			}
		}
	}
}

// rewiring is a workload or a list of endpoints of which something changes that Services look at. One side may be nil.
type rewiring struct{ was, is *backer }

// backer is a workload or a list of endpoints with what Services look at, which is read once.
type backer struct {
	*loader.Object
	labels map[string]string
	ports  []string
	runs   bool
}

func backerOf(o *loader.Object) *backer {
	if o == nil {
		return nil
	}
	b := &backer{Object: o}
	if !network.Endpoints(o.ID) {
		b.labels, b.ports, b.runs = network.PodsOf(o)
	}
	return b
}

// rewirings returns the changes, sorted by ID. Workloads that are added to others change nothing that is known.
func rewirings(before, after map[loader.ID]*loader.Object) []rewiring {
	var out []rewiring
	for id, was := range before {
		if is := after[id]; is == nil || was.Digest != is.Digest && reach(was) != reach(is) {
			out = append(out, rewiring{backerOf(was), backerOf(is)})
		}
	}
	for id, is := range after {
		if before[id] == nil && network.Endpoints(id) {
			out = append(out, rewiring{nil, backerOf(is)})
		}
	}
	slices.SortFunc(out, func(a, b rewiring) int {
		x, _ := a.any()
		y, _ := b.any()
		return x.ID.Compare(y.ID)
	})
	return out
}

func (r rewiring) any() (b *backer, verb string) {
	switch {
	case r.is == nil:
		return r.was, "removed"
	case r.was == nil:
		return r.is, "added"
	}
	return r.is, "changed"
}

// of says what the change is for a Service, nothing if it neither leads nor led there.
func (r rewiring) of(service *loader.Object) []string {
	switch {
	case !leadsTo(service, r.was) && !leadsTo(service, r.is):
		return nil
	case r.was == nil || r.is == nil:
		return []string{"endpoints"}
	}
	return different(service, r.was, r.is)
}

// leadsTo reports whether a Service selects the pods of a workload, or has these endpoints.
func leadsTo(service *loader.Object, o *backer) bool {
	if o == nil || service.ID.Namespace != o.ID.Namespace {
		return false
	}
	switch {
	case o.ID.Kind == "Endpoints":
		return o.ID.Name == service.ID.Name
	case network.Endpoints(o.ID):
		return o.Root.Str("metadata", "labels", serviceName) == service.ID.Name
	}
	selector := service.Spec().Get("selector").FieldList()
	return len(selector) > 0 && !slices.ContainsFunc(selector, func(f loader.Field) bool { return o.labels[f.Key] != f.Value.Text })
}

// different says what of a workload changes for a Service.
func different(service *loader.Object, was, is *backer) []string {
	if network.Endpoints(is.ID) {
		return []string{"endpoints"}
	}
	var out []string
	if leadsTo(service, was) != leadsTo(service, is) {
		out = append(out, "labels")
	}
	ports, now := was.ports, is.ports
	if was.runs != is.runs {
		out = append(out, "replicas")
	}
	for _, port := range service.Spec().List("ports") {
		to := cmp.Or(port.Get("targetPort"), port.Get("port"))
		if to == nil {
			continue
		}
		target := to.Text
		named := func(list []string) bool {
			return slices.ContainsFunc(list, func(p string) bool { name, number, _ := strings.Cut(p, " "); return name == target || number == target })
		}
		if named(ports) && (!named(now) || !slices.Equal(ports, now) && !isNumber(target)) {
			out = append(out, "containers.ports")
		}
	}
	return slices.Compact(out)
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }
