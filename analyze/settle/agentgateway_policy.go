package settle

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
)

// The bodies of an AgentgatewayPolicy, and the phases of traffic.
const (
	frontend    = "frontend"
	traffic     = "traffic"
	backend     = "backend"
	preRouting  = "PreRouting"
	postRouting = "PostRouting"
)

// agentgatewayFields are the bodies that count at a level: settings of the
// connection at the listener, of requests at a rule, of what is sent on at a
// backend.
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

// agentgatewayPolicy folds each body by itself, since each has levels and an
// order of its own (agentgateway crates/agentgateway/src/store/binds.rs,
// route_policies, gateway_policies, internal_backend_policies and
// FrontendPolices).
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

// agentgatewayFrontend takes each field from the listener before the Gateway,
// and the export of access logs from whoever has one.
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

// agentgatewayTraffic keeps the phases apart: they never meet. Who locks a field
// does so after routing alone.
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

// lockRules leaves out the authorisation rules that are more specific than those
// of the first policy that locks its fields.
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

// leastBuffer puts the buffer of the least specific policy that has one.
func leastBuffer(body *merge.Tree, steps []Step) *merge.Tree {
	for _, step := range steps {
		if buffer := step.Spec.At("traffic.buffer"); buffer != nil {
			return body.With(buffer, "buffer")
		}
	}
	return body
}

// agentgatewayBackend ranks what is on routes above what is on the backend, which
// is above listener and Gateway; it reads no ListenerSet.
func agentgatewayBackend(s merge.Strategy, steps []Step) *merge.Tree {
	order := []hierarchy.Level{
		hierarchy.LevelGateway, hierarchy.LevelListener, hierarchy.LevelFrontend, hierarchy.LevelBackend, hierarchy.LevelFrontendPort,
		hierarchy.LevelPort, hierarchy.LevelRoute, hierarchy.LevelRule,
	}
	steps = slices.DeleteFunc(unlocked(steps), func(step Step) bool {
		return step.Kind == "ListenerSet" || !slices.Contains(order, step.Level)
	})
	rank := func(step Step) int {
		// Of routes that pass requests on the last one comes first, with its rules.
		return min(slices.Index(order, step.Level), slices.Index(order, hierarchy.LevelRoute))
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return rank(a) - rank(b) })
	return lay(s, steps, func(step Step) *merge.Tree { return only(step.Spec, backend) }).Get(backend)
}

// unlocked are steps of which none locks its fields.
func unlocked(steps []Step) []Step {
	out := slices.Clone(steps)
	for i := range out {
		out[i].Override = false
	}
	return out
}
