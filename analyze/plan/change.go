package plan

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// ChangeKind is what a change does: a field differs, or a target is added, removed, attached or detached.
type ChangeKind string

// The kinds of a change.
const (
	FieldChange   ChangeKind = "field"
	Attached      ChangeKind = "attached"
	Detached      ChangeKind = "detached"
	Moved         ChangeKind = "moved"
	VerdictChange ChangeKind = "verdict"
	Added         ChangeKind = "added"
	Removed       ChangeKind = "removed"
	// Renamed is an object, listener or rule that replaces one with another name.
	Renamed ChangeKind = "renamed"
)

// Change is one difference in effective configuration, shared by all its targets.
type Change struct {
	// PolicyKind is nil if an object's own configuration, attachment or verdict changed.
	PolicyKind *GroupKind `json:"policyKind"`
	Kind       ChangeKind `json:"kind"`
	Targets    []Target   `json:"targets"`
	Fields     []Field    `json:"fields"`
	// Policies are the nodes of the policies in force before or after.
	Policies []string `json:"policies,omitempty"`
	// Declared are the declared targets of those policies that the change edits.
	Declared []Declared `json:"declared,omitempty"`
	// Kept are effective targets that the same edit reaches but that keep their values, because
	// other policies decide there.
	Kept        []TargetRef `json:"kept,omitempty"`
	Causes      []Cause     `json:"causes"`
	Fingerprint string      `json:"fingerprint"`
}

// Declared are declared targets of a policy, by their nodes. A long list is cut.
type Declared struct {
	Policy  string   `json:"policy"`
	Targets []string `json:"targets"`
}

// Unreadable reports whether every target of the change depends on a file that one side could not
// read. It is then not known whether anything was added or removed.
func (c *Change) Unreadable() bool {
	return !slices.ContainsFunc(c.Targets, func(t Target) bool { return !t.Unreadable })
}

// Outcome is equal for changes of several environments that are one: the same edits have the same effect.
func (c *Change) Outcome() string {
	parts := []any{c.Causes, c.PolicyKind, c.Kind, c.Fields}
	if len(c.Fields) == 0 && c.Kind == Moved {
		// Moves differ only in their contexts.
		for i := range c.Targets {
			parts = append(parts, c.Targets[i].ContextsBefore, c.Targets[i].Contexts)
		}
	}
	data, err := json.Marshal(parts)
	if err != nil {
		return "?" // a plan has no value that JSON cannot hold
	}
	return string(data)
}

// GroupKind names a kind.
type GroupKind struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
}

// TargetRef names an effective target.
type TargetRef struct {
	Group     string `json:"group"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Section   string `json:"section"`
}

// Ref names a section of an object, or the object itself.
func Ref(id loader.ID, section string) TargetRef {
	return TargetRef{Group: id.Group, Kind: id.Kind, Namespace: id.Namespace, Name: id.Name, Section: section}
}

// ID returns the object of the target, without the section.
func (t TargetRef) ID() loader.ID {
	return loader.ID{Group: t.Group, Kind: t.Kind, Namespace: t.Namespace, Name: t.Name}
}

// Target is one effective target of a change with the contexts it changed in.
type Target struct {
	Target TargetRef `json:"target"`
	// Contexts are those of head, or of base if head has none, ContextsBefore those of base if they
	// differ. Both may be cut; ContextCount is exact.
	Contexts       [][]string `json:"contexts"`
	ContextsBefore [][]string `json:"contextsBefore,omitempty"`
	ContextCount   int        `json:"contextCount"`
	// Sections is how many sections the object of a target has that is one: rules of a route, listeners of a Gateway.
	Sections     int  `json:"sections,omitempty"`
	Certain      bool `json:"certain"`
	AgeSensitive bool `json:"ageSensitive"`
	// NotInInput is true if only a policy refers to the target: its manifest is not in the input.
	NotInInput bool `json:"notInInput,omitempty"`
	// Remains is true if a route left a listener but is still attached to another.
	Remains bool `json:"remains,omitempty"`
	// Unreadable is true if one side could not read a file that the target depends on. It is then
	// not known whether anything was added or removed.
	Unreadable bool `json:"unreadable,omitempty"`
}

// Action is what happened to one field.
type Action string

// The actions on a field.
const (
	FieldAdded   Action = "added"
	FieldRemoved Action = "removed"
	FieldChanged Action = "changed"
)

// Field is one value that differs. Before and After are JSON values: string,
// number, bool, nil, list or map; secret-like strings are "<redacted>".
type Field struct {
	Path         string  `json:"path"`
	Action       Action  `json:"action"`
	Before       any     `json:"before"`
	After        any     `json:"after"`
	BeforeSource *Source `json:"beforeSource"`
	AfterSource  *Source `json:"afterSource"`
}

// Keys splits the keys off with which the path begins if an effective policy lists whole policies:
// "[DENY][AuthorizationPolicy.security.istio.io/shop/admin]/rules".
func (f Field) Keys() (keys []string, rest string) {
	rest = f.Path
	for strings.HasPrefix(rest, "[") {
		key, after, ok := strings.Cut(rest[1:], "]")
		if !ok {
			break
		}
		keys, rest = append(keys, key), after
	}
	return keys, rest
}

// Source is the object and the position that set a value. Role is direct, default, override, object, schema-default,
// or ControllerDefault where no object set it.
type Source struct {
	Object string `json:"object"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Role   string `json:"role"`
}

// Position returns the place.
func (s Source) Position() loader.Position {
	return loader.Position{File: s.File, Line: s.Line, Column: s.Column}
}

// ControllerDefault is the role of a value that the controller uses because nobody sets one.
const ControllerDefault = "controller default"

// Cause is an edited place that caused a change.
type Cause struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Side is the revision that contains the place: base (for a removed one) or head.
	Side   string `json:"side"`
	Object string `json:"object"`
}

// Position returns the place.
func (c Cause) Position() loader.Position {
	return loader.Position{File: c.File, Line: c.Line, Column: c.Column}
}

// Selected reports whether all targets of a change are unknown objects that a policy selects: none
// of them is in the input.
func (c *Change) Selected() bool {
	return len(c.Targets) > 0 && !slices.ContainsFunc(c.Targets, func(t Target) bool { return !t.NotInInput || t.Target.Name != "*" })
}
