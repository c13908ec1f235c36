package status

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
)

// ancestorList holds the ancestors of one policy, each once.
type ancestorList struct {
	kind *catalogue.Kind
	// ignoresPort means that the port of a reference does not identify an ancestor. Envoy Gateway
	// does not compare ports: the first of several parentRefs counts
	// (internal/gatewayapi/status/policy.go, ancestorRefsEqual).
	ignoresPort bool
	ancestors   []plan.Ancestor
	seen        map[plan.Reference]int
	// touched counts all additions, including repeated ones.
	touched int
}

// add adds an ancestor, or its conditions to those of the ancestor that is in the list already.
func (l *ancestorList) add(ref plan.Reference, controllerName string, conditions []plan.Condition) {
	if l.kind.Controllers.Ignores(controllerName) {
		return // that controller does not handle the kind
	}
	l.touched++
	key := l.keyOf(ref)
	if i, ok := l.seen[key]; ok {
		// Conditions are a map by type. If one target is rejected, the ancestor has its conditions.
		if conditions[0].Bad {
			l.ancestors[i].Conditions = missing(conditions, l.ancestors[i].Conditions)
		} else {
			l.ancestors[i].Conditions = missing(l.ancestors[i].Conditions, conditions)
		}
		return
	}
	l.seen[key] = len(l.ancestors)
	l.ancestors = append(l.ancestors, plan.Ancestor{AncestorRef: ref, ControllerName: controller(controllerName), Conditions: conditions})
}

// missing returns conditions with those of the others whose type is missing.
func missing(conditions, others []plan.Condition) []plan.Condition {
	out := slices.Clone(conditions)
	for _, c := range others {
		if !slices.ContainsFunc(out, func(had plan.Condition) bool { return had.Type == c.Type }) {
			out = append(out, c)
		}
	}
	return out
}

// keyOf is what identifies an ancestor.
func (l *ancestorList) keyOf(ref plan.Reference) plan.Reference {
	if l.ignoresPort {
		ref.Port = 0
	}
	return ref
}

// note adds a condition to an ancestor. It adds the ancestor if it is not in the list yet. Only a
// condition that reports a problem replaces one of its type.
func (l *ancestorList) note(ref plan.Reference, c plan.Condition) {
	i, ok := l.seen[l.keyOf(ref)]
	if !ok {
		l.add(ref, "", []plan.Condition{c})
		return
	}
	had := slices.Clone(l.ancestors[i].Conditions)
	at := slices.IndexFunc(had, func(had plan.Condition) bool { return had.Type == c.Type })
	switch {
	case at < 0:
		l.ancestors[i].Conditions = append(had, c)
	case c.Bad:
		had[at] = c
		l.ancestors[i].Conditions = had
	}
}

// sorted returns the ancestors in the order of their references.
func (l *ancestorList) sorted() []plan.Ancestor {
	slices.SortStableFunc(l.ancestors, func(x, y plan.Ancestor) int { return compareReferences(x.AncestorRef, y.AncestorRef) })
	return l.ancestors
}

func compareReferences(a, b plan.Reference) int {
	return cmp.Or(
		cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Name, b.Name), cmp.Compare(a.SectionName, b.SectionName), cmp.Compare(a.Port, b.Port),
	)
}
