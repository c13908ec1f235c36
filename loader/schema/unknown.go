package schema

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// Unknown is a field that the schema of an object does not have. An API server drops it (pruning:
// apiextensions-apiserver, pkg/apiserver/schema/pruning), or refuses the object if it is applied on
// the server's side or with strict validation.
type Unknown struct {
	// At is the value of the field, Path its path.
	At   *loader.Value
	Path string
	// Near is the field of the schema that was probably meant, or "".
	Near string
}

// Unknown returns the fields of an object that its schema does not have, with a name for the schema.
// Without a schema of exactly this version it returns those that are almost a field that its kind is known to have. A field that
// is in old as well is not returned.
func (s *Set) Unknown(group, version, kind string, root, old *loader.Value) (unknown []Unknown, by string) {
	n, by := s.exact(key{group, version, kind})
	if root == nil || root.Shape != loader.Map {
		return nil, ""
	}
	if n == nil {
		if known := controllerSchema(key{group, version, kind}); known != nil {
			return known.misspelt(root, old), apiOf(group)
		}
		if v := vocabularyFor(group, kind); v != nil {
			return v.unknown(root, old), apiOf(group)
		}
		return nil, ""
	}
	u := unknownFields{near: spelling.Nearest}
	u.walk(n, root, old, "")
	return u.found, by
}

// Pruned returns a value without the fields of a list that are probably misspelt: what was meant by them is not set. Others may be
// fields of a release that is not known here, and stay. It shares with the value what it keeps, and is the value if it keeps all.
func Pruned(v *loader.Value, unknown []Unknown) *loader.Value {
	misspelt := map[*loader.Value]bool{}
	for _, u := range unknown {
		if u.Near != "" {
			misspelt[u.At] = true
		}
	}
	if len(misspelt) == 0 {
		return v
	}
	return without(v, misspelt)
}

func without(v *loader.Value, dropped map[*loader.Value]bool) *loader.Value {
	out := *v
	out.Fields, out.Items = make([]loader.Field, 0, len(v.Fields)), make([]*loader.Value, 0, len(v.Items))
	for _, f := range v.Fields {
		if !dropped[f.Value] {
			out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: without(f.Value, dropped)})
		}
	}
	for _, item := range v.Items {
		out.Items = append(out.Items, without(item, dropped))
	}
	return &out
}

type unknownFields struct {
	found []Unknown
	// near is the one of some names that was probably meant by another one, or "".
	near func(name string, names []string) string
	old  correlation
}

func (u *unknownFields) walk(n *node, value, old *loader.Value, path string) {
	if n == nil || n.open || value.IsNull() || value.Opaque || len(u.found) == maxViolations {
		return
	}
	for _, f := range value.FieldList() {
		at := strings.TrimPrefix(path+"."+f.Key, ".")
		switch below := n.key(f.Key); {
		case path == "" && (f.Key == "apiVersion" || f.Key == "kind" || f.Key == "metadata" || f.Key == "status"):
		case below != nil:
			u.walk(below, f.Value, old.Get(f.Key), at)
		case n.closed() && old.Get(f.Key) == nil && !f.Value.IsNull() && len(u.found) < maxViolations:
			near := u.near
			if path == "" { // an object has few fields, and all kinds the same
				near = spelling.Nearest
			}
			u.found = append(u.found, Unknown{At: f.Value, Path: at, Near: near(f.Key, n.names())})
		}
	}
	items := old.ItemList()
	for i, item := range value.ItemList() {
		was := u.old.item(n, item, old)
		if was == nil && i < len(items) {
			was = items[i]
		}
		u.walk(n.items, item, was, fmt.Sprintf("%s[%d]", path, i))
	}
}

// closed reports whether the node is a map of which all fields are in the schema.
func (n *node) closed() bool {
	return n.checks != nil && n.checks.Type == "object" && len(n.fields) > 0 && n.extra == nil && !n.open
}

func (n *node) names() []string {
	out := make([]string, 0, len(n.fields))
	for _, f := range n.fields {
		out = append(out, f.name)
	}
	return out
}
