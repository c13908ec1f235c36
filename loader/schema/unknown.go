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
		if v := vocabularyFor(group, kind); v != nil {
			return v.unknown(root, old), apiOf(group)
		}
		return nil, ""
	}
	u := unknownFields{}
	u.walk(n, root, old, "")
	return u.found, by
}

type unknownFields struct {
	found []Unknown
	old   correlation
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
			u.found = append(u.found, Unknown{At: f.Value, Path: at, Near: spelling.Nearest(f.Key, n.names())})
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
