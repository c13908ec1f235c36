package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/feature"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// brokenParts finds what a policy refers to and cannot be used: backends, and objects that it draws
// from. Its controller rejects the policy for that, and the policy keeps its targets.
type brokenParts struct {
	policy *Policy
	graph  *hierarchy.Graph
	claims claims
	securing
	// has returns the state of a feature of the controller.
	has func(feature string) feature.State
}

// broken is one such part.
type broken struct {
	hierarchy.Condition
	path      string
	failsOpen bool
}

// refuse rejects each reference of the policy for the first broken part that its controller checks
// there.
func (r brokenParts) refuse() {
	everywhere := r.parts()
	for _, ref := range r.policy.References {
		parts := slices.Concat(everywhere, r.there(ref))
		i := slices.IndexFunc(parts, func(b broken) bool { return r.claims.Checks(r.graph, ref, b.path) })
		if i < 0 || ref.Accepted == fact.False {
			continue
		}
		ref.refuse(parts[i].Reason, parts[i].Message)
		ref.Holds = true
		for _, part := range parts {
			if r.claims.Checks(r.graph, ref, part.path) && !slices.ContainsFunc(r.policy.Faults, func(c hierarchy.Condition) bool { return c.Ref == part.Ref && c.Message == part.Message }) {
				r.policy.Faults = append(r.policy.Faults, part.Condition)
			}
		}
		if r.policy.Broken == nil {
			r.policy.Broken, r.policy.FailsOpen = &parts[i].Condition, parts[i].failsOpen
			if parts[i].failsOpen { // the rest of the policy is in force
				field, _, _ := strings.Cut(parts[i].path, ".")
				r.policy.Spec, r.policy.opened = r.policy.Spec.Without(field), field
				r.policy.countLeaves()
			}
		}
	}
}

// Checks reports whether the controller looks at a part of the policy for this target. Some parts
// are only looked at for routes that a listener allows.
func (c claims) Checks(g *hierarchy.Graph, r *Reference, path string) bool {
	below := func(field string) bool { return strings.HasPrefix(path, field) }
	if slices.ContainsFunc(r.Policy.Kind.CheckedWithTLS, below) {
		return slices.ContainsFunc(c.listeners(g, r), func(n *hierarchy.Node) bool { return n.TerminatesTLS(g.Implementation(hierarchy.GatewayOf(n))) })
	}
	if with := r.Policy.Kind.CheckedWithHTTP; with != nil {
		http := slices.ContainsFunc(with, below)
		return slices.ContainsFunc(c.listeners(g, r), func(n *hierarchy.Node) bool {
			protocol := n.Value.Str("protocol")
			return (protocol == "HTTP" || protocol == "HTTPS" || !http && protocol != "UDP") && !n.IsInvalid(g.Implementation(hierarchy.GatewayOf(n)))
		})
	}
	always := r.Policy.Kind.CheckedDetached
	if always == nil || slices.ContainsFunc(always, below) {
		return true
	}
	listeners, isRoute := ofRoute(g, r, func(p *hierarchy.Parent) []*hierarchy.Node { return p.Open })
	return !isRoute || len(listeners) > 0
}

// listeners are those of the target: itself, or those of a ListenerSet or Gateway that no policy of the kind claims for itself.
func (c claims) listeners(g *hierarchy.Graph, r *Reference) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, n := range r.Nodes {
		gateway := hierarchy.GatewayOf(n)
		for _, l := range g.Listeners(gateway) {
			if (l == n || l.Owner == n || n == gateway) && !c.from(n, l) {
				out = append(out, l)
			}
		}
	}
	return out
}

// parts are the backends that are known to be unusable, then the missing objects that the policy
// draws from, then the fields that it needs and does not set. Only kinds that define a reason for it have any.
func (r brokenParts) parts() []broken {
	return slices.Concat(r.backends(), r.missing(), r.drawn(), r.fields())
}

// there are the fields that the controller refuses at the Gateways of a target.
func (r brokenParts) there(ref *Reference) (out []broken) {
	for _, refused := range refusedAt(r.graph, ref) {
		out = append(out, r.part(r.policy.Kind.Refused, refused.Path+": "+refused.Why, refused.At, refused.Path))
	}
	return out
}

// part is one in the policy itself.
func (r brokenParts) part(reason, message string, at *loader.Value, path string, involves ...loader.ID) broken {
	return broken{
		Condition: hierarchy.Condition{Type: hierarchy.ResolvedRefs, Status: fact.False, Reason: reason, Message: message, Owner: r.policy.Object, Ref: at, Involves: involves},
		path:      path,
	}
}

// partOf is one in an object that the policy draws from, or in the reference to it.
func (r brokenParts) partOf(draw *Draw, message string, owner *loader.Object, at *loader.Value, involves loader.ID) broken {
	out := r.part(draw.Broken, message, at, draw.Path, involves)
	out.Owner, out.failsOpen = owner, r.policy.failsOpen(draw.Path, draw.Ref)
	return out
}

// backends are those that the policy itself cannot use.
func (r brokenParts) backends() (out []broken) {
	reason := r.policy.Kind.BrokenBackends
	if reason == "" {
		return nil
	}
	for _, b := range r.policy.Backends() {
		if b.ID.Name == "" { // the API server rejects a reference without a name
			continue
		}
		if wrong := r.wrongBackend(b); wrong != "" {
			one := r.part(reason, wrong, b.Ref, b.Path, b.ID)
			one.failsOpen = r.policy.failsOpen(b.Path, b.Ref)
			out = append(out, one)
		}
	}
	return append(out, r.mixed(reason)...)
}

// mixed are services of which some backends have hostnames and others addresses (Envoy Gateway internal/gatewayapi/ext_service.go,
// translateExtServiceBackendRefs).
func (r brokenParts) mixed(reason string) (out []broken) {
	for _, path := range r.policy.Kind.Backends {
		for _, list := range every(r.policy.Object.Spec(), strings.Split(path, ".")) {
			named, others := 0, 0
			for _, ref := range list.ItemList() {
				id := r.graph.Named(hierarchy.BackendID(ref, r.policy.ID().Namespace))
				backend := r.graph.Object(id)
				switch {
				case backend == nil || ref.Get("weight") != nil && ref.Get("weight").Text == "0":
				case id.Kind == "Service":
					others++
				case slices.ContainsFunc(backend.Spec().List("endpoints"), func(e *loader.Value) bool { return e.Get("fqdn") != nil }):
					named++
				case id.Kind == "Backend":
					others++
				}
			}
			if named > 0 && others > 0 {
				out = append(out, r.part(reason, "some of the backends have hostnames, others addresses", list, path))
				out[len(out)-1].failsOpen = r.policy.failsOpen(path, list.ItemList()[0])
			}
		}
	}
	return out
}

// missing are the objects that the policy draws from and that are not there.
func (r brokenParts) missing() (out []broken) {
	for _, draw := range r.policy.draws {
		if draw.Broken != "" && draw.Absent == fact.True {
			out = append(out, r.partOf(draw, draw.Missing, draw.Owner, draw.Ref, draw.ID))
		}
	}
	return out
}

// drawn are the objects that the policy draws from and that are of no use: they lack the field for it, or a backend that they need.
func (r brokenParts) drawn() (out []broken) {
	for _, draw := range r.policy.draws {
		if draw.Object == nil || draw.Broken == "" {
			continue
		}
		if field := draw.Lacks(draw.Object); field != "" {
			out = append(out, r.partOf(draw, draw.ID.Spoken()+" has no "+field, draw.Owner, draw.Ref, draw.ID))
			continue
		}
		for _, path := range draw.Backends {
			for _, ref := range every(draw.Object.Root, strings.Split(path, ".")) {
				b := Backend{ID: hierarchy.BackendID(ref, draw.ID.Namespace), Ref: ref, Path: path}
				if b.ID.Name == "" {
					continue
				}
				if wrong := b.Unusable(r.graph, draw.ID); wrong != "" {
					out = append(out, r.partOf(draw, draw.ID.Spoken()+": "+wrong, draw.Object, ref, b.ID))
				}
			}
		}
	}
	return out
}

// fields are those that the controller refuses: wrong texts, features that are off, what it refuses together, and what is not set.
func (r brokenParts) fields() (out []broken) {
	for _, wrong := range wrongTexts(r.policy) {
		if wrong.entry.Reason != "" {
			out = append(out, r.part(wrong.entry.Reason, wrong.why, wrong.at, wrong.entry.In))
		}
	}
	spec := r.policy.Object.Spec()
	for _, entry := range r.policy.Kind.Features {
		at := spec.At(entry.In)
		if at.IsEmpty() {
			continue
		}
		if state := r.has(entry.Needs); state.On == fact.False {
			out = append(out, r.part(entry.Reason, state.Why, at, entry.In))
		}
	}
	for _, refused := range refusals(r.policy) {
		if !refused.Untaken {
			out = append(out, r.part(r.policy.Kind.Refused, refused.Path+": "+refused.Why, refused.At, refused.Path))
		}
	}
	for _, entry := range r.policy.Kind.Required {
		in := spec.At(entry.In)
		if !in.IsNull() && in.At(entry.Field).IsEmpty() && !slices.Contains(entry.Values, in.Str(entry.Unless)) {
			out = append(out, r.part(entry.Reason, entry.In+" needs "+entry.Field, in, entry.In))
		}
	}
	return out
}

func (r brokenParts) wrongBackend(b Backend) string {
	if wrong := b.Unusable(r.graph, r.policy.ID()); wrong != "" {
		return wrong
	}
	port := ""
	if v := b.Ref.Get("port"); v != nil {
		port = v.Text
	}
	return r.BrokenTLS(r.graph, r.graph.Named(b.ID), port)
}

// Unusable says why an object cannot use a backend that it refers to, or is empty.
func (b *Backend) Unusable(g *hierarchy.Graph, from loader.ID) string {
	if resolution := g.ResolveAs(from, g.Named(b.ID), b.ID); resolution.Resolved == fact.False {
		return resolution.Message
	}
	if wrong := g.RefusedByPolicies(g.Named(b.ID)); wrong != "" {
		return wrong
	}
	return b.wrongPort(g)
}

// wrongPort is the message for a reference to a port that its Service does not have, "" if the
// port exists or that is unknown (Envoy Gateway internal/gatewayapi/validate.go,
// validateExtServiceBackendReference).
func (b *Backend) wrongPort(g *hierarchy.Graph) string {
	service := g.Object(b.ID)
	ported := slices.Contains(g.Dominant().Routes.Ported, implementation.Kind{Group: b.ID.Group, Name: b.ID.Kind})
	if service == nil || !ported && (b.ID.Group != "" || b.ID.Kind != "Service") {
		return ""
	}
	port := b.Ref.Get("port")
	if port.IsNull() {
		return fmt.Sprintf("the reference to %s names no port", b.ID.Spoken())
	}
	var has []string
	for _, p := range service.Spec().List("ports") {
		number := p.Get("port")
		if number == nil {
			continue
		}
		if number.Text == port.Text {
			return ""
		}
		has = append(has, number.Text)
	}
	return fmt.Sprintf("%s has no port %s, only %s", b.ID.Spoken(), port.Text, strings.Join(has, ", "))
}

// failsOpen reports whether a policy lets requests pass if a reference at a path cannot be used.
// A field in an enclosing object decides this.
func (p *Policy) failsOpen(path string, ref *loader.Value) bool {
	for _, field := range p.Kind.FailOpen {
		i := strings.LastIndexByte(field, '.')
		rest, inside := strings.CutPrefix(path, field[:i+1])
		if !inside {
			continue
		}
		for _, around := range every(p.Object.Spec(), strings.Split(field[:i], ".")) {
			found := slices.ContainsFunc(every(around, strings.Split(rest, ".")), func(v *loader.Value) bool {
				return v == ref || slices.Contains(v.ItemList(), ref)
			})
			if open := around.Get(field[i+1:]); found && open != nil && open.Text == "true" {
				return true
			}
		}
	}
	return false
}
