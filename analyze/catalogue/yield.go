package catalogue

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// Yield is a field at Path that has no effect if the target has policies of the kind To,
// GROUP/KIND, or one of the fields Own, or a Filter: TYPE, or TYPE/PATH for one with that field.
// Fields of an overriding policy do not yield to the target.
type Yield struct {
	Path string   `json:"path"`
	To   string   `json:"to,omitempty"`
	Own  []string `json:"own,omitempty"`
	// Unless is a field of the target that, if set, makes those of Own not count.
	Unless string `json:"unless,omitempty"`
	Filter string `json:"filter,omitempty"`
}

// By is the target's own value that replaces the field, or nil if there is none.
func (y Yield) By(target *hierarchy.Node) *loader.Value {
	if target == nil || y.Unless != "" && !target.Value.At(y.Unless).IsNull() {
		return nil
	}
	for _, path := range y.Own {
		if v := target.Value.At(path); !v.IsNull() {
			return v
		}
	}
	if y.Filter == "" {
		return nil
	}
	kind, path, _ := strings.Cut(y.Filter, "/")
	for _, filter := range target.Value.List("filters") {
		if filter.Str("type") != kind {
			continue
		}
		if path == "" {
			return filter.Get(filterField(kind))
		}
		if v := filter.At(path); !v.IsNull() {
			return v
		}
	}
	return nil
}

// filterField is the name of a filter's field for its type.
func filterField(kind string) string {
	if strings.ToUpper(kind) == kind {
		return strings.ToLower(kind)
	}
	return strings.ToLower(kind[:1]) + kind[1:]
}
