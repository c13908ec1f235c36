// Package age orders objects by age, which decides among objects of equal precedence (GEP-713,
// conflict resolution; GEP-1713, precedence of ListenerSets). Git does not record when an object
// was created, so an order states what decided it and whether the cluster may order differently.
package age

import (
	"cmp"
	"strings"
	"time"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// CreatedAt is the annotation that supplies a creation time, which Git does not record.
const CreatedAt = "gwplan.dev/created-at"

// Ages are the known ages of objects in a run. They are an input: base and head use the same ages.
type Ages struct {
	// Base are the objects of base by identity, in a diff. They are older than all objects that
	// only head has, and their times count, not those in head. Nil if there is no diff.
	Base map[loader.ID]*loader.Object
	// Given are times from the configuration.
	Given map[loader.ID]time.Time
}

type age struct {
	inHeadOnly bool
	time       time.Time
	source     string
}

// of returns an object's age. A missing time is the zero time and sorts first, as in the
// controllers' code. An object that only head has is as young as the merge, whatever time it
// states. An object that a controller generates from another one is as old as that one.
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
	if t, ok := parse(metadata.Str("annotations", CreatedAt)); ok {
		return age{time: t, source: plan.ByAnnotation}
	}
	return age{}
}

// parse reads a time. It skips an empty text, because most objects have no time and a failure to
// parse is slow.
func parse(text string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, text)
	return t, err == nil
}

// Order is the order of two objects and what decided it. Unsure is true if the cluster may order
// them differently, because a time is missing.
type Order struct {
	Compare int
	By      string
	Unsure  bool
}

// Known keeps the ages of objects that are ordered again and again.
type Known struct {
	ages Ages
	of   map[*loader.Object]age
}

// Known returns ages that are looked up once for each object.
func (a Ages) Known() *Known { return &Known{a, map[*loader.Object]age{}} }

// Order is Ages.Order.
func (k *Known) Order(x, y *loader.Object) Order {
	age := func(o *loader.Object) age {
		found, ok := k.of[o]
		if !ok {
			found = k.ages.of(o)
			k.of[o] = found
		}
		return found
	}
	return order(x, y, age(x), age(y))
}

// OrderWith orders two objects as a cluster does in which a third one is as old as its manifest allows: before it come only
// those that are known to be older.
func (k *Known) OrderWith(oldest, x, y *loader.Object) int {
	group := func(o *loader.Object) int {
		if o.ID == oldest.ID {
			return 1
		}
		if by := k.Order(o, oldest); by.Compare < 0 && !by.Unsure {
			return 0
		}
		return 2
	}
	return cmp.Or(cmp.Compare(group(x), group(y)), k.Order(x, y).Compare)
}

// Order returns the order of two objects by age, then {namespace}/{name} (GEP-713, Rules for
// implementing merge strategies).
func (a Ages) Order(x, y *loader.Object) Order { return order(x, y, a.of(x), a.of(y)) }

func order(x, y *loader.Object, ax, ay age) Order {
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
	// Two stated times that are equal are also equal in the cluster, where the name decides. Two
	// missing times are only assumed to be equal.
	byName := strings.Compare(x.ID.Name, y.ID.Name)
	if x.ID.Namespace != y.ID.Namespace {
		byName = strings.Compare(x.ID.Namespace+"/"+x.ID.Name, y.ID.Namespace+"/"+y.ID.Name)
	}
	return Order{Compare: byName, By: plan.ByName, Unsure: ax.source == "" || ay.source == ""}
}
