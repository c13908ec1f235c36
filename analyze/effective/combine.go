package effective

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/settle"
	"github.com/gwplan/gwplan/loader"
)

// combine folds a stack, which is ordered from the least to the most specific step. For kinds that
// merge into the target's own fields, these fields are the most specific step.
func combine(k *catalogue.Kind, stack []element, target *hierarchy.Node) *merge.Tree {
	if len(k.Into) > 0 && target != nil {
		return combineInto(k, stack, target, func(item *loader.Value) *merge.Tree { return ownFields(k, target, item) })
	}
	return combineAt(k, stack, target)
}

// combineAt folds a stack by the kind's own fold function, or by the general rules if it has none.
func combineAt(k *catalogue.Kind, stack []element, target *hierarchy.Node) *merge.Tree {
	fold := k.Settling.Fold
	if fold == nil || target == nil {
		return combineStack(k, stack)
	}
	steps := make([]settle.Step, 0, len(stack))
	for _, e := range stack {
		if e.spec != nil {
			steps = append(steps, settle.Step{Target: e.target, Level: e.place.Level, Override: e.direction == merge.Override, Spec: e.spec})
		}
	}
	return fold(k.Strategy(k.LevelAlgorithm), steps, target)
}

func combineStack(k *catalogue.Kind, stack []element) *merge.Tree {
	switch k.Way {
	case catalogue.OlderDialect:
		return combineOlder(stack, nil)
	case catalogue.Collected:
		return combineCollected(stack)
	case catalogue.LowerDictates, catalogue.LowestAlone:
		return combineLower(k, stack)
	case catalogue.HigherDictates:
	}
	return combineHigher(k, stack)
}

// combineHigher implements GEP-713's rule 1: between two levels, the higher policy dictates the
// strategy, for everything below it.
func combineHigher(k *catalogue.Kind, stack []element) *merge.Tree {
	if len(k.Merge.Levels.Beside) > 0 {
		return combineBeside(k, stack)
	}
	return foldHigher(k, stack)
}

func foldHigher(k *catalogue.Kind, stack []element) *merge.Tree {
	if k.Merge.Levels.Inherit != nil {
		stack = joinRoutes(k, stack)
	}
	var spec *merge.Tree
	for _, higher := range slices.Backward(stack) {
		spec = dictate(k, higher.algorithm, higher.direction, higher.spec, spec)
	}
	return spec
}

// joinRoutes merges the steps of routes that delegate requests to each other into one step. It
// first merges the steps of each route. It then goes from the last route up: a parent route
// overrides the routes that it delegates to only if it claims to.
func joinRoutes(k *catalogue.Kind, stack []element) []element {
	first := slices.IndexFunc(stack, func(e element) bool { return e.route != loader.ID{} })
	if first < 0 || stack[first].route == stack[len(stack)-1].route {
		return stack
	}
	var routes []element
	for _, e := range stack[first:] {
		if n := len(routes); n > 0 && routes[n-1].route == e.route {
			above := &routes[n-1]
			above.spec = dictate(k, above.algorithm, above.direction, above.spec, e.spec)
			continue
		}
		routes = append(routes, e)
	}
	joined := routes[len(routes)-1]
	for _, parent := range slices.Backward(routes[:len(routes)-1]) {
		joined.spec = dictate(k, parent.algorithm, parent.inherit, parent.spec, joined.spec)
	}
	return append(slices.Clone(stack[:first]), joined)
}

// dictate merges two specs with the strategy of the higher one.
func dictate(k *catalogue.Kind, algorithm merge.Algorithm, direction merge.Role, higher, lower *merge.Tree) *merge.Tree {
	strategy := k.Strategy(algorithm)
	if direction == merge.Override {
		return strategy.Merge(higher, lower)
	}
	return strategy.Merge(lower, higher)
}

// combineLower folds kinds whose most specific policy wins as a whole, unless it chooses to be
// merged: with the closest policy above it, or with all of them (Envoy Gateway, mergeType).
func combineLower(k *catalogue.Kind, stack []element) *merge.Tree {
	stack = slices.DeleteFunc(slices.Clone(stack), func(e element) bool { return e.spec == nil })
	if len(stack) == 0 {
		return nil
	}
	lowest := stack[len(stack)-1]
	if k.Way == catalogue.LowestAlone {
		return lowest.spec
	}
	if !k.Closest {
		var spec *merge.Tree
		for _, lower := range stack {
			spec = lay(k, lower, spec)
		}
		return spec
	}
	above := slices.DeleteFunc(slices.Clone(stack[:len(stack)-1]), func(e element) bool { return k.Skips(lowest.place, e.place) })
	spec := lowest.spec
	if len(above) > 0 && k.MayChoose(lowest.place) {
		if lowest.unmergeable() {
			return combineLower(k, stack[:len(stack)-1])
		}
		spec = lay(k, lowest, above[len(above)-1].spec)
	}
	return fallThrough(k, lowest, above, spec)
}

// unmergeable reports whether the controller does not know how the policy asks to be merged. It then
// applies nothing of the policy, so that those above it are in force (Envoy Gateway,
// internal/gatewayapi/securitypolicy.go, processSecurityPolicyForRoute).
func (e element) unmergeable() bool { return len(e.policies) > 0 && e.policies[0].Unmergeable != nil }

// lay merges a policy over the spec above it, with the algorithm that the policy chooses.
func lay(k *catalogue.Kind, lower element, above *merge.Tree) *merge.Tree {
	spec := k.Strategy(lower.algorithm).Merge(lower.spec, above)
	if lower.algorithm == k.LevelAlgorithm {
		return spec
	}
	for _, path := range k.Merge.Resets {
		around := path[:max(0, strings.LastIndexByte(path, '.'))]
		if lower.spec.At(path) == nil && lower.spec.At(around) != nil && spec.At(path) != nil {
			spec = spec.Without(path)
		}
	}
	return spec
}

// fallThrough fills in the fields that take the value of the next policy above when they are not
// set. A lowest policy that may choose to be merged, but does not, takes none.
func fallThrough(k *catalogue.Kind, lowest element, above []element, spec *merge.Tree) *merge.Tree {
	ends := k.MayChoose(lowest.place) && lowest.algorithm == k.LevelAlgorithm
	for _, path := range k.Merge.FallsThrough {
		if ends || lowest.spec.At(path) != nil {
			continue
		}
		for _, higher := range slices.Backward(above) {
			if value := higher.spec.At(path); value != nil && !k.MayChoose(higher.place) {
				spec = spec.Put(path, value)
				break
			}
		}
	}
	return spec
}

// combineOlder implements the older dialect: A override > B override > C override > the object's
// own value > C default > B default > A default, per field (policy attachment, Hierarchy).
func combineOlder(stack []element, own *merge.Tree) *merge.Tree {
	var bodies []*merge.Tree
	for _, e := range stack {
		for _, p := range e.policies {
			bodies = append(bodies, p.Overrides)
		}
	}
	bodies = append(bodies, own)
	for _, e := range slices.Backward(stack) {
		for _, p := range e.policies {
			bodies = append(bodies, p.Defaults)
		}
	}
	// Merge from the lowest body up: RFC 7396 is not associative where shapes change.
	var result *merge.Tree
	for _, body := range slices.Backward(bodies) {
		result = merge.Strategy{Algorithm: merge.LeafWise}.Merge(body, result)
	}
	return result
}

// combineCollected keeps every spec, each under the name of its policy, in order.
func combineCollected(stack []element) *merge.Tree {
	var all *merge.Tree
	for _, e := range stack {
		if e.spec == nil {
			continue
		}
		one := &merge.Tree{
			Value: e.spec.Value, Source: e.spec.Source, Kind: merge.Keyed,
			Entries: []merge.Entry{{Key: e.policies[0].ID().String(), Tree: e.spec}},
		}
		all = merge.Strategy{Algorithm: merge.Collect}.Merge(all, one)
	}
	return all
}

// ReadingDiffers reports whether the GEP's abstract process, read literally, results in another
// spec than its rule that the higher policy dictates the strategy. Read literally, a combined
// policy has the strategy of the lower one. With three steps a default in the middle then defeats
// an override above it.
func (r *Run) ReadingDiffers(k *catalogue.Kind, s State) bool {
	gep := k.Assumed() || k.Origin == catalogue.FromConfig
	if s <= Start || !gep || k.Way != catalogue.HigherDictates || k.PerTarget {
		return false
	}
	stack := r.elements(k, r.sequence(s))
	if len(stack) < 3 || sameStrategy(stack) {
		return false
	}
	top := stack[0]
	for _, next := range stack[1:] {
		merged := dictate(k, top.algorithm, top.direction, top.spec, next.spec)
		top = next
		top.spec = merged
	}
	return !merge.Equal(top.spec.Strip(), combineStack(k, stack).Strip())
}

// sameStrategy reports whether all steps have the same strategy. Both readings then agree.
func sameStrategy(stack []element) bool {
	return !slices.ContainsFunc(stack, func(e element) bool {
		return e.algorithm != stack[0].algorithm || e.direction != stack[0].direction
	})
}
