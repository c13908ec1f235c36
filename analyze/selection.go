package analyze

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// Selection is the object that a one-tree command asks about, written as
// kubectl and the reports write it: KIND, KIND/NAME or KIND/NAMESPACE/NAME,
// with #SECTION; the kind in any case, plural or short.
type Selection struct {
	kind, group, namespace, name, section string
}

// shortNames are kubectl's short names of the kinds in the hierarchy.
var shortNames = map[string]string{
	"gtw": "gateway", "gc": "gatewayclass", "svc": "service", "ns": "namespace", "lset": "listenerset",
}

// ParseSelection reads a selection; an empty one selects everything.
func ParseSelection(text string) (Selection, error) {
	var s Selection
	object, section, _ := strings.Cut(text, "#")
	s.section = section
	parts := strings.Split(object, "/")
	if len(parts) > 3 || slices.Contains(parts[1:], "") {
		return s, fmt.Errorf("%q names no object; write KIND, KIND/NAME or KIND/NAMESPACE/NAME", text)
	}
	s.kind, s.group, _ = strings.Cut(strings.ToLower(parts[0]), ".")
	if long, ok := shortNames[s.kind]; ok {
		s.kind = long
	}
	switch len(parts) {
	case 2:
		s.name = parts[1]
	case 3:
		s.namespace, s.name = parts[1], parts[2]
	}
	return s, nil
}

// Empty says whether everything is selected.
func (s Selection) Empty() bool { return s == Selection{} }

func (s Selection) matchesKind(group, kind string) bool {
	if s.kind == "" {
		return true
	}
	kind = strings.ToLower(kind)
	same := kind == s.kind || kind+"s" == s.kind || kind+"es" == s.kind || strings.TrimSuffix(kind, "y")+"ies" == s.kind
	return same && (s.group == "" || s.group == group)
}

func (s Selection) matches(t hierarchy.Target) bool {
	return s.matchesKind(t.Group, t.Kind) &&
		(s.name == "" || s.name == t.Name) &&
		(s.namespace == "" || s.namespace == t.Namespace) &&
		(s.section == "" || s.section == t.Section)
}
