// Package world makes random clusters: realistic objects of Gateway API and of one controller, with the mistakes that
// people make, and some that nobody makes.
package world

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Object is a Kubernetes object.
type Object map[string]any

// Kind is the kind of an object.
func (o Object) Kind() string { return o.String("kind") }

// Namespace is the namespace of an object, or "".
func (o Object) Namespace() string { return o.String("metadata", "namespace") }

// Name is the name of an object.
func (o Object) Name() string { return o.String("metadata", "name") }

// fields is a YAML mapping, list a sequence.
type (
	fields = map[string]any
	list   = []any
)

// Dialect is what a controller adds to Gateway API.
type Dialect struct {
	// Controller is the controllerName of its GatewayClasses, Classes are their names.
	Controller string
	Classes    []string
	// BuiltinClasses are there without an object.
	BuiltinClasses bool
	// RouteKinds are the kinds of route that it implements.
	RouteKinds []string
	// ListenerSets says whether it knows ListenerSets.
	ListenerSets bool
	// Backend is a kind of its own that a backendRef may name; Filter one that an ExtensionRef may name.
	Backend, Filter reference
	// ManyFilters says whether rules have several filters, and backendRefs some of their own.
	ManyFilters bool
	// OddMatches says whether rules ask for more than paths, and sessions.
	OddMatches bool
	// Add gives a world the objects of its own kinds.
	Add func(b *Builder)
}

// reference is a group and kind, and the names of its objects that others refer to, there or not; an empty kind is none.
type reference struct {
	group, kind string
	names       []string
}

const gatewayAPI = "gateway.networking.k8s.io"

// Builder is a world on its way.
type Builder struct {
	random  *rand.Rand
	dialect Dialect
	objects []Object
	// aged worlds have creation times; calm ones have few mistakes, so that many policies meet on sound targets.
	aged, calm bool
	serial     int

	gateways, sets, routes []placed
}

// placed is an object that others may refer to, with its sections.
type placed struct {
	kind, namespace, name string
	sections              []string
}

// New returns the world that a seed gives for a dialect: the same one each time.
func New(seed uint64, dialect Dialect) []Object {
	b := &Builder{random: rand.New(rand.NewPCG(seed, 1)), dialect: dialect}
	b.aged, b.calm = b.chance(0.6), b.chance(0.5)
	b.base()
	for i := range b.between(1, 3) {
		b.gateway(fmt.Sprintf("gw-%d", i+1))
	}
	if dialect.ListenerSets {
		for i := range pick(b, 0, 0, 0, 1, 2) {
			b.listenerSet(fmt.Sprintf("ls-%d", i+1))
		}
	}
	for _, kind := range dialect.RouteKinds {
		n := pick(b, 0, 0, 1)
		if kind == "HTTPRoute" {
			n = b.between(1, 3)
		}
		for i := range n {
			b.route(kind, fmt.Sprintf("%s-%d", routeNames[kind], i+1))
		}
	}
	for range pick(b, 0, 1, 1, 2, 3) {
		b.grant()
	}
	dialect.Add(b)
	return b.unique()
}

// unique keeps the first of the objects of one name.
func (b *Builder) unique() []Object {
	seen := map[string]bool{}
	return slices.DeleteFunc(b.objects, func(o Object) bool {
		id := o.Kind() + "/" + o.Namespace() + "/" + o.Name()
		double := seen[id]
		seen[id] = true
		return double
	})
}

// add puts an object into the world. A spec of nil is none.
func (b *Builder) add(apiVersion, kind, namespace, name string, spec fields) Object {
	meta := fields{"name": name}
	if namespace != "" {
		meta["namespace"] = namespace
	}
	plain := slices.Contains([]string{"Service", "Namespace", "Secret", "ConfigMap"}, kind)
	if b.aged && !plain {
		meta["creationTimestamp"] = fmt.Sprintf("2024-01-0%dT00:00:00Z", b.between(1, 3))
	}
	if !plain && b.chance(0.5) {
		meta["labels"] = fields{"app": pick(b, "x", "y")}
	}
	o := Object{"apiVersion": apiVersion, "kind": kind, "metadata": meta}
	if spec != nil {
		o["spec"] = spec
	}
	b.objects = append(b.objects, o)
	return o
}

// chance is true in so many cases of one.
func (b *Builder) chance(p float64) bool { return b.random.Float64() < p }

// mistake is chance for what is wrong, which is rare in calm worlds.
func (b *Builder) mistake(p float64) bool {
	if b.calm {
		p /= 10
	}
	return b.chance(p)
}

// between is a number from low to high, both included.
func (b *Builder) between(low, high int) int { return low + b.random.IntN(high-low+1) }

// next is a number that no other call gives: values that tell where they come from.
func (b *Builder) next() int {
	b.serial++
	return b.serial
}

// pick is one of some values.
func pick[T any](b *Builder, values ...T) T { return values[b.random.IntN(len(values))] }

// some are between one and most different ones of values.
func some[T any](b *Builder, most int, values ...T) []T {
	values = slices.Clone(values)
	b.random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	return values[:b.between(1, min(most, len(values)))]
}

// sometimes gives m what is in more, in so many cases of one.
func (b *Builder) sometimes(p float64, m, more fields) fields {
	if b.chance(p) {
		for k, v := range more {
			m[k] = v
		}
	}
	return m
}
