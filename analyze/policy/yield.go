package policy

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// Yield is a field that yields to policies of a kind, GROUP/KIND, or to the target
// itself where it has one of the fields Own or a Filter, TYPE or TYPE/PATH for one that
// has a field. What overrides yields to no target.
type Yield struct {
	Path string   `json:"path"`
	To   string   `json:"to,omitempty"`
	Own  []string `json:"own,omitempty"`
	// Unless is a field of the target with which those of Own do not count.
	Unless string `json:"unless,omitempty"`
	Filter string `json:"filter,omitempty"`
}

// By is what a target says itself in the place of the field, nil for nothing.
func (y Yield) By(target *hierarchy.Node) *loader.Value {
	if target == nil || y.Unless != "" && !at(target.Value, y.Unless).IsNull() {
		return nil
	}
	for _, path := range y.Own {
		if v := at(target.Value, path); !v.IsNull() {
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
		if v := at(filter, path); !v.IsNull() {
			return v
		}
	}
	return nil
}

// filterField is the field of a filter that its type names.
func filterField(kind string) string {
	if strings.ToUpper(kind) == kind {
		return strings.ToLower(kind)
	}
	return strings.ToLower(kind[:1]) + kind[1:]
}
