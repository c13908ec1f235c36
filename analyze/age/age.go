// Package age orders objects by age: the one order that decides among equals
// (GEP-713, conflict resolution; GEP-1713, precedence of ListenerSets). Git does
// not know when an object was created, so an order says what decided it and
// whether the cluster may know better.
package age

import (
	"cmp"
	"strings"
	"time"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// createdAt is the annotation that supplies a creation time where Git has none.
const createdAt = "gwplan.dev/created-at"

// Ages are what a run knows of the age of objects. They are an input: the same
// ages go into the run of base and that of head.
type Ages struct {
	// Base are the objects of base by identity, in a diff: they are older than
	// whatever only head has, and their times count, not head's. Nil otherwise.
	Base map[loader.ID]*loader.Object
	// Given are times from the configuration.
	Given map[loader.ID]time.Time
}

type age struct {
	inHeadOnly bool
	time       time.Time
	source     string
}

// of is an object's age. An absent time is the zero time and sorts first, as
// in the controllers' own code; an object that only head has is as young as
// the merge, whatever it says itself. What a controller makes of another object
// is as old as that.
func (a Ages) of(o *loader.Object) age {
	id := o.ID
	if o.GeneratedBy != (loader.ID{}) {
		id = o.GeneratedBy
	}
	if a.Base != nil {
		base, ok := a.Base[id]
		if !ok {
			return age{inHeadOnly: true}
		}
		o = base
	}
	if t, ok := a.Given[id]; ok {
		return age{time: t, source: plan.ByAnnotation}
	}
	metadata := o.Root.Get("metadata")
	if t, ok := parse(metadata.Str("creationTimestamp")); ok {
		return age{time: t, source: plan.ByTimestamp}
	}
	if t, ok := parse(metadata.Str("annotations", createdAt)); ok {
		return age{time: t, source: plan.ByAnnotation}
	}
	return age{}
}

// parse reads a time; most objects have none, and a failure to parse costs.
func parse(text string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, text)
	return t, err == nil
}

// Order says which of two objects comes first and what decided it; unsure
// means that the cluster may know better: a time is missing, or only the name
// was left to decide.
type Order struct {
	Compare int
	By      string
	Unsure  bool
}

// Order is the order of two objects by age, then {namespace}/{name} (GEP-713,
// Rules for implementing merge strategies).
func (a Ages) Order(x, y *loader.Object) Order {
	ax, ay := a.of(x), a.of(y)
	if ax.inHeadOnly != ay.inHeadOnly {
		if ax.inHeadOnly {
			return Order{Compare: 1, By: plan.ByBase}
		}
		return Order{Compare: -1, By: plan.ByBase}
	}
	if c := ax.time.Compare(ay.time); c != 0 {
		by := ax.source
		if by == "" || ay.source == plan.ByAnnotation {
			by = cmp.Or(ay.source, by)
		}
		return Order{Compare: c, By: by, Unsure: ax.source == "" || ay.source == ""}
	}
	// Two times that are stated and equal are equal in the cluster, too, and the
	// name decides there; two that are missing are only assumed to be.
	byName := strings.Compare(x.ID.Namespace+"/"+x.ID.Name, y.ID.Namespace+"/"+y.ID.Name)
	return Order{Compare: byName, By: plan.ByName, Unsure: ax.source == "" || ay.source == ""}
}
