package schema

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"slices"
	"sync"

	"github.com/gwplan/gwplan/loader"
)

// controllersJSON are the schemas of the kinds of controllers in the form of gateway-api.json, for input without their CRDs: those
// of Envoy Gateway (d32f2829), agentgateway (75b4e6ce), NGINX Gateway Fabric (e55bfe33), Kuadrant (ae698811) and Istio (86c9f01f),
// all of August 2026 and under the Apache License 2.0. `go test ./loader/schema -schemas DIR` writes them anew from the CRDs in a
// folder.
//
//go:embed controllers.json.gz
var controllersJSON []byte

// controllers are these schemas, unpacked when something asks for one of them. It cannot fail: a test reads the file.
var controllers = sync.OnceValue(func() map[key]*node {
	unpacked, err := gzip.NewReader(bytes.NewReader(controllersJSON))
	if err != nil {
		return nil
	}
	var file compactFile
	if json.NewDecoder(unpacked).Decode(&file) != nil {
		return nil
	}
	kinds, err := readCompact(file)
	if err != nil {
		return nil
	}
	return kinds
})

// controllerSchema returns the schema that a kind has in the known release of its controller, or nil.
func controllerSchema(k key) *node {
	if _, known := kindVocabularies()[k.group+"/"+k.kind]; !known {
		return nil
	}
	return controllers()[k]
}

// refused returns what the known release of a controller's API demands of an object and is not so. An object with a field that the
// release does not have is of another release, which may demand something else: nothing is said of it.
func (r *Validator) refused(k key, root, old *loader.Value) []Violation {
	n := controllerSchema(k)
	if n == nil {
		return nil
	}
	unknown := unknownFields{near: slipOf}
	unknown.walk(n, root, nil, "")
	if slices.ContainsFunc(unknown.found, func(u Unknown) bool { return u.Near == "" }) {
		return nil
	}
	v := validation{Validator: r}
	root, old = n.filledIn(root), n.filledIn(old)
	v.walk(n, root, old, "", func(n *node, value, old *loader.Value, path string) bool {
		return loader.Placeholder(value.Text) || v.shape(n, value, old, path)
	})
	if !v.blocked && !holdsPlaceholder(root) {
		v.walk(n, root, old, "", v.rules)
	}
	return v.found
}

// filledIn returns an object with the defaults of its kind, or as it is where they are more than any object needs.
func (n *node) filledIn(root *loader.Value) *loader.Value {
	b := budget{left: maxFilledIn}
	if filled := n.apply(root, &b); b.left >= 0 {
		return filled
	}
	return root
}

const maxFilledIn = 20_000

// holdsPlaceholder reports whether a text in a value is filled in before it reaches the cluster.
func holdsPlaceholder(v *loader.Value) bool {
	return loader.Placeholder(v.Text) || slices.ContainsFunc(v.Items, holdsPlaceholder) ||
		slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return holdsPlaceholder(f.Value) })
}

// misspelt returns the fields of an object that are almost one of those in their place, and that old does not have.
func (n *node) misspelt(root, old *loader.Value) []Unknown {
	u := unknownFields{near: slipOf}
	u.walk(n, root, old, "")
	return slices.DeleteFunc(u.found, func(u Unknown) bool { return u.Near == "" })
}
