package settle

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
)

// The top-level sections of an AgentgatewayPolicy spec, and the phases of traffic.
const (
	frontend    = "frontend"
	traffic     = "traffic"
	backend     = "backend"
	preRouting  = "PreRouting"
	postRouting = "PostRouting"
)

// agentgatewayFields returns the sections that apply at a level: connection settings (frontend) at
// the listener, request settings (traffic) at a rule, and upstream settings (backend) at a backend.
func agentgatewayFields(level hierarchy.Level) []string {
	switch level {
	case hierarchy.LevelListener:
		return []string{frontend}
	case hierarchy.LevelRule:
		return []string{traffic}
	case hierarchy.LevelBackend, hierarchy.LevelPort:
		return []string{backend}
	default:
		return nil
	}
}

// agentgatewayPolicy merges each section separately, because each has its own levels and order
// (agentgateway crates/agentgateway/src/store/binds.rs, route_policies, gateway_policies,
// internal_backend_policies and FrontendPolices).
func agentgatewayPolicy(s merge.Strategy, steps []Step, at *hierarchy.Node) *merge.Tree {
	out := lay(s, steps, func(step Step) *merge.Tree { return without(step.Spec, frontend, traffic, backend) })
	bodies := map[string]func(merge.Strategy, []Step) *merge.Tree{
		frontend: agentgatewayFrontend, traffic: agentgatewayTraffic, backend: agentgatewayBackend,
	}
	for _, name := range agentgatewayFields(at.Level) {
		if body := bodies[name](s, steps); body != nil {
			out = out.With(body, name)
		}
	}
	return out
}

// agentgatewayFrontend lets each field of a listener policy override that of a Gateway policy. If
// the result has an access log without otlp, it adds the most specific otlp export.
func agentgatewayFrontend(s merge.Strategy, steps []Step) *merge.Tree {
	steps = slices.DeleteFunc(unlocked(steps), func(step Step) bool {
		return step.Level != hierarchy.LevelGateway && step.Level != hierarchy.LevelListener
	})
	body := lay(s, steps, func(step Step) *merge.Tree { return only(step.Spec, frontend) }).Get(frontend)
	if access := body.Get("accessLog"); access != nil && access.Get("otlp") == nil {
		for _, step := range slices.Backward(steps) {
			if otlp := step.Spec.At("frontend.accessLog.otlp"); otlp != nil {
				return body.With(otlp, "accessLog", "otlp")
			}
		}
	}
	return body
}

// agentgatewayTraffic merges the two phases separately, because they never override each other.
// Override has an effect only after routing.
func agentgatewayTraffic(s merge.Strategy, steps []Step) *merge.Tree {
	var out *merge.Tree
	for _, phase := range []string{preRouting, postRouting} {
		of := slices.DeleteFunc(slices.Clone(steps), func(step Step) bool { return phaseOf(step) != phase })
		if phase == preRouting {
			of = unlocked(of)
		} else {
			of = lockRules(of)
		}
		body := lay(s, of, func(step Step) *merge.Tree { return only(step.Spec, traffic) }).Get(traffic)
		if body == nil {
			continue
		}
		if phase == postRouting {
			body = leastBuffer(body, of)
		}
		out = out.With(body, phase)
	}
	return out
}

func phaseOf(step Step) string {
	if text(step.Spec, "traffic.phase") == preRouting {
		return preRouting
	}
	return postRouting
}

// lockRules removes the authorization rules of policies that are more specific than the first
// policy with authorization rules and Override.
func lockRules(steps []Step) []Step {
	locked := false
	for i, step := range steps {
		if step.Spec.At("traffic.authorization") == nil {
			continue
		}
		if locked {
			steps[i].Spec = step.Spec.Without("traffic.authorization")
		}
		locked = locked || step.Override
	}
	return steps
}

// leastBuffer sets the buffer of the least specific policy that has one.
func leastBuffer(body *merge.Tree, steps []Step) *merge.Tree {
	for _, step := range steps {
		if buffer := step.Spec.At("traffic.buffer"); buffer != nil {
			return body.With(buffer, "buffer")
		}
	}
	return body
}

// agentgatewayBackend lets policies on routes override those on the backend, which override those
// on the listener and Gateway. Policies on a ListenerSet have no effect.
func agentgatewayBackend(s merge.Strategy, steps []Step) *merge.Tree {
	order := []hierarchy.Level{
		hierarchy.LevelGateway, hierarchy.LevelListener, hierarchy.LevelFrontend, hierarchy.LevelBackend, hierarchy.LevelFrontendPort,
		hierarchy.LevelPort, hierarchy.LevelRoute, hierarchy.LevelRule,
	}
	steps = slices.DeleteFunc(unlocked(steps), func(step Step) bool {
		return step.Kind == "ListenerSet" || !slices.Contains(order, step.Level)
	})
	rank := func(step Step) int {
		// With delegation, the last route is the most specific, together with its rules.
		return min(slices.Index(order, step.Level), slices.Index(order, hierarchy.LevelRoute))
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return rank(a) - rank(b) })
	return lay(s, steps, func(step Step) *merge.Tree { return only(step.Spec, backend) }).Get(backend)
}

// unlocked returns a copy of the steps with Override set to false.
func unlocked(steps []Step) []Step {
	out := slices.Clone(steps)
	for i := range out {
		out[i].Override = false
	}
	return out
}
