package unseen

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// Rewires reports whether a change of workloads may change where the requests of a Service go, or who guards them: pods
// that are no longer there or that may join others, that have other labels or ports, run no more, have another proxy of a mesh or
// none, another ServiceAccount or another program.
func Rewires(before, after []*loader.Object) bool {
	was, is := loader.ByID(before), loader.ByID(after)
	for _, o := range before {
		if now := is[o.ID]; now == nil || reach(now) != reach(o) || now.Version != o.Version || !loader.Equal(now.Spec().Get("selector"), o.Spec().Get("selector")) {
			return true
		}
	}
	return slices.ContainsFunc(after, func(o *loader.Object) bool { return was[o.ID] == nil })
}

// behindServices are the workloads and the written endpoints of an environment.
func behindServices(env *loader.Environment) map[loader.ID]*loader.Object {
	out := loader.ByID(env.Workloads)
	maps.DeleteFunc(out, func(id loader.ID, _ *loader.Object) bool { return network.IsPolicy(id) })
	for _, o := range env.Objects {
		if network.Endpoints(o.ID) {
			out[o.ID] = o
		}
	}
	return out
}

// reach is what of a workload decides which Services lead to it, where, and how the policies of a mesh know it.
func reach(o *loader.Object) string {
	if network.Endpoints(o.ID) {
		digest := loader.Digest(loader.ID{}, &loader.Value{Shape: loader.List, Items: []*loader.Value{
			o.Root.Get("metadata", "labels", serviceName), o.Root.Get("endpoints"), o.Root.Get("ports"), o.Root.Get("subsets"),
		}})
		return hex.EncodeToString(digest[:])
	}
	labels, ports, runs := network.PodsOf(o)
	return fmt.Sprintf("%v %q %t %v %q %s %q", labels, ports, runs, proxyOf(o), network.AccountOf(o), shiftOf(o), programOf(o))
}

// shiftOf is how a Rollout moves requests from one version to the next, "" if it does not (Argo Rollouts, Traffic Management
// and BlueGreen).
func shiftOf(o *loader.Object) string {
	strategy := o.Spec().Get("strategy")
	if o.ID.Kind != "Rollout" || strategy.Get("canary", "trafficRouting") == nil && strategy.Get("blueGreen") == nil {
		return ""
	}
	digest := loader.Digest(loader.ID{}, strategy)
	return hex.EncodeToString(digest[:])
}

// serviceName is the label by which an EndpointSlice belongs to a Service (Kubernetes discovery/v1).
const serviceName = "kubernetes.io/service-name"

// workloads finds Services that something sends requests to and whose pods or endpoints change.
func (s *search) workloads() {
	for i, pair := range s.Pairs {
		if pair.Base == nil || pair.Head == nil || pair.Base == pair.Head {
			continue
		}
		before, after := behindServices(pair.Base), behindServices(pair.Head)
		changed := rewirings(before, after)
		if len(changed) == 0 {
			continue
		}
		services := served(pair, guards(s, pair.Head), mentioned(&s.Plan[i]))
		services.added, services.staying = joining(before, after)
		for _, r := range changed {
			leads, says, to := services.behind(r)
			if len(leads) == 0 {
				continue
			}
			o, verb := r.any()
			if toldGone(&s.Plan[i], o.ID) {
				continue
			}
			s.add(o.ID.Kind+" "+o.ID.Namespace+"/"+o.ID.Name+" behind Service "+spelling.And(leads), verb, pair.Name(), o.First(), says).Behind = to
		}
	}
}

// toldGone reports whether a finding tells that no pods of a workload are left behind a Service.
func toldGone(env *plan.Environment, id loader.ID) bool {
	return slices.ContainsFunc(env.Findings, func(f plan.Finding) bool { return f.Rule == rule.BackendWithoutPods && f.Target == id.String() })
}

// servedServices are the Services of both revisions that something sends requests to and of which the plan says nothing.
type servedServices struct {
	by map[loader.ID][]string
	// selecting are those with a selector, by its first label; named are all.
	selecting map[label][]*loader.Object
	named     map[loader.ID]*loader.Object
	// added are the workloads that only head has, by each label of their pods, staying those that both have.
	added, staying map[label][]*backer
	// isShared caches shared.
	isShared map[*loader.Object]bool
	// guards are the policies that have a Service decide about requests.
	guards map[loader.ID][]string
}

type label struct{ namespace, key, value string }

func served(pair applied.Pair, guards map[loader.ID][]string, told map[string]bool) servedServices {
	out := servedServices{by: senders(pair.Head), guards: guards, isShared: map[*loader.Object]bool{}, selecting: map[label][]*loader.Object{}, named: map[loader.ID]*loader.Object{}}
	before := pair.Base.ByID()
	for _, o := range pair.Head.Objects {
		if o.ID.Kind != "Service" || len(out.by[o.ID]) == 0 && len(guards[o.ID]) == 0 || before[o.ID] == nil || told[o.ID.String()] {
			continue
		}
		out.named[o.ID] = o
		if selector := o.Spec().Get("selector").FieldList(); len(selector) > 0 {
			at := label{o.ID.Namespace, selector[0].Key, selector[0].Value.Text}
			out.selecting[at] = append(out.selecting[at], o)
		}
	}
	return out
}

// joining returns the workloads of which only the second revision has the object, and those that run in both, by each label of their pods.
func joining(before, after map[loader.ID]*loader.Object) (added, staying map[label][]*backer) {
	added, staying = map[label][]*backer{}, map[label][]*backer{}
	for id, o := range after {
		if network.Endpoints(id) {
			continue
		}
		to := added
		if before[id] != nil {
			to = staying
		}
		b := backerOf(o)
		for key, value := range b.labels {
			at := label{id.Namespace, key, value}
			to[at] = append(to[at], b)
		}
	}
	return added, staying
}

// shared reports whether a Service leads to a workload that both revisions have.
func (s servedServices) shared(service *loader.Object) bool {
	known, ok := s.isShared[service]
	if !ok {
		known = s.isBacked(service)
		s.isShared[service] = known
	}
	return known
}

func (s servedServices) isBacked(service *loader.Object) bool {
	selector := service.Spec().Get("selector").FieldList()
	return len(selector) > 0 && slices.ContainsFunc(s.staying[label{service.ID.Namespace, selector[0].Key, selector[0].Value.Text}], func(b *backer) bool {
		return b.runs && leadsTo(service, b)
	})
}

// replaced reports whether a new workload takes the place of a removed one behind a Service.
func (s servedServices) replaced(service *loader.Object, gone *backer) bool {
	selector := service.Spec().Get("selector").FieldList()
	return len(selector) > 0 && slices.ContainsFunc(s.added[label{service.ID.Namespace, selector[0].Key, selector[0].Value.Text}], func(b *backer) bool {
		return b.runs && slices.Equal(b.ports, gone.ports) && leadsTo(service, b)
	})
}

// maxServices is how many Services are named for one workload.
const maxServices = 3

// behind names the Services that lead, or led, to a workload or to endpoints. It also returns what changes for the
// first of them, and who sends requests there.
func (s servedServices) behind(r rewiring) (leads, says, to []string) {
	for _, service := range s.candidates(r) {
		changes, by := r.of(service), s.by[service.ID]
		if asks := s.guards[service.ID]; len(asks) > 0 && (len(changes) == 0 || len(by) == 0) {
			changes, by = append(changes, r.programs(service)...), asks
		}
		switch {
		case len(changes) == 0, r.is == nil && s.replaced(service, r.was), r.was == nil && !network.Endpoints(r.is.ID) && !s.shared(service):
			continue
		case len(leads) == maxServices:
			leads[maxServices-1] = "others"
			return leads, says, to
		case len(leads) == 0:
			says, to = changes, by
		}
		leads = append(leads, service.ID.Namespace+"/"+service.ID.Name)
	}
	return leads, says, to
}

// candidates are the Services that may lead to one side of a change, each once.
func (s servedServices) candidates(r rewiring) []*loader.Object {
	o, _ := r.any()
	var out []*loader.Object
	for _, side := range []*backer{r.was, r.is} {
		if side == nil {
			continue
		}
		for _, name := range []string{o.ID.Name, side.Root.Str("metadata", "labels", serviceName)} {
			if service := s.named[loader.ID{Kind: "Service", Namespace: o.ID.Namespace, Name: name}]; service != nil && network.Endpoints(o.ID) && !slices.Contains(out, service) {
				out = append(out, service)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(side.labels)) {
			if found := s.selecting[label{o.ID.Namespace, key, side.labels[key]}]; side == r.was || r.was == nil || r.was.labels[key] != side.labels[key] {
				out = append(out, found...)
			}
		}
	}
	return out
}

// rewiring is a workload or a list of endpoints of which something changes that Services look at. One side may be nil.
type rewiring struct{ was, is *backer }

// backer is a workload or a list of endpoints with what Services look at, which is read once.
type backer struct {
	*loader.Object
	labels map[string]string
	ports  []string
	runs   bool
	// proxy are the annotations that decide about the proxy of a mesh.
	proxy map[string]string
	// shift is how a Rollout moves requests.
	shift string
}

func backerOf(o *loader.Object) *backer {
	if o == nil {
		return nil
	}
	b := &backer{Object: o, shift: shiftOf(o)}
	if !network.Endpoints(o.ID) {
		b.labels, b.ports, b.runs = network.PodsOf(o)
		b.proxy = proxyOf(o)
	}
	return b
}

// rewirings returns the changes, sorted by ID. Of the workloads that are added, those count that join others behind a Service.
func rewirings(before, after map[loader.ID]*loader.Object) []rewiring {
	var out []rewiring
	for id, was := range before {
		if is := after[id]; is == nil || was.Digest != is.Digest && reach(was) != reach(is) {
			out = append(out, rewiring{backerOf(was), backerOf(is)})
		}
	}
	for id, is := range after {
		if before[id] == nil {
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
	return cmp.Or(r.is, r.was), plan.EditOf(r.was != nil, r.is != nil)
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

// programs says what changes of the programs that a Service leads to.
func (r rewiring) programs(service *loader.Object) []string {
	if r.was == nil || r.is == nil || !leadsTo(service, r.is) {
		return nil
	}
	return programOf(r.was.Object).differs(programOf(r.is.Object))
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
	selector := service.Spec().Get("selector")
	return len(selector.FieldList()) > 0 && matches(selector, o.labels)
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
	out = append(out, changedAnnotations(was.labels, is.labels, inMesh)...)
	out = append(out, changedAnnotations(was.proxy, is.proxy, inMesh)...)
	ports, now := was.ports, is.ports
	if was.shift != is.shift {
		out = append(out, "strategy")
	}
	if was.runs != is.runs {
		out = append(out, "replicas")
	}
	for _, port := range service.Spec().List("ports") {
		to := cmp.Or(port.Get("targetPort"), port.Get("port"))
		if to == nil {
			continue
		}
		target := to.Text
		if network.DeclaresPort(ports, target) && (!network.DeclaresPort(now, target) || !slices.Equal(ports, now) && !isNumber(target)) {
			out = append(out, "containers.ports")
		}
	}
	return slices.Compact(out)
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }
