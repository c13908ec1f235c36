package schema

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
)

// Violation is one reason for which an API server rejects an object.
type Violation struct {
	// At is the value that is wrong, or the map or list that should contain it.
	At *loader.Value
	// Path is its path, such as spec.rules[0].
	Path string
	// Message says what is wrong, without the value.
	Message string
	// Transition means that only an update is wrong: the object may be deleted and created again.
	Transition bool
}

// maxViolations is how many violations of one object are reported.
const maxViolations = 8

// Validate returns the reasons for which an API server rejects an object: its name and labels, and what its schema says, if there is
// one of exactly this version; without its CRD, what a known release of its controller demands. Defaults must be filled in. old is the object that it replaces, or nil.
//
// The rules are those of structural schemas and of x-kubernetes-validations (apiextensions-apiserver,
// pkg/apiserver/validation and pkg/apiserver/schema/cel). What contains an unresolved variable is
// not judged. skipped says whether rules that might apply were passed over.
func (r *Validator) Validate(s *Set, group, version, kind string, root, old *loader.Value) (violations []Violation, by string, skipped Skipped) {
	n, by := s.exact(key{group, version, kind})
	if root == nil || root.Shape != loader.Map {
		return nil, "", None
	}
	if wrong := append(misnamed(root), mislabelled(root)...); len(wrong) > 0 {
		return wrong, "Kubernetes", None
	}
	if !s.Holds(group, version, kind) {
		if wrong, of := misspelt(group, kind, root); len(wrong) > 0 {
			return wrong, of, None
		}
	}
	if n == nil {
		return r.refused(key{group, version, kind}, root, old), apiOf(group), None
	}
	r.skipped = None
	v := validation{Validator: r}
	v.walk(n, root, old, "", v.shape)
	if !v.blocked {
		v.walk(n, root, old, "", v.rules)
	}
	return v.found, by, r.skipped
}

// Skipped says why rules of an object were passed over, the worst reason last.
type Skipped uint8

// The reasons: a rule does not compile here, or it would cost too much to evaluate.
const (
	None Skipped = iota
	NotKnown
	TooCostly
)

// Validator validates the objects of one run. It is for one goroutine.
type Validator struct {
	// left is what the expressions of the run may still cost, in the units of CEL.
	left uint64
	// skipped is about the present object.
	skipped Skipped
	// programs and patterns are compiled once; a pattern is nil if that is not possible.
	programs map[string]program
	patterns map[string]*regexp.Regexp
	// enums are the values of long enumerations.
	enums map[*checks]map[string]bool
	// valid are the values that satisfy the expressions of a node.
	valid map[judged]bool
}

// maxCost bounds the evaluation of expressions in one run to a few seconds. Those of Gateway API cost
// about 2,000 for a large route.
const maxCost = 5_000_000

// NewValidator returns a validator for one run.
func NewValidator() *Validator {
	return &Validator{left: maxCost, programs: map[string]program{}, patterns: map[string]*regexp.Regexp{}, enums: map[*checks]map[string]bool{}, valid: map[judged]bool{}}
}

// exact returns the schema of exactly this version with a name for it, or nil.
func (s *Set) exact(k key) (n *node, by string) {
	for ; s != nil; s = s.below {
		if compiled, ok := s.kinds[k]; ok {
			return compiled(), "the CRD in the input"
		}
	}
	return builtinExact(k)
}

// Holds reports whether the schema of exactly this version is in the input.
func (s *Set) Holds(group, version, kind string) bool {
	for ; s != nil; s = s.below {
		if _, ok := s.kinds[key{group, version, kind}]; ok {
			return true
		}
	}
	return false
}

// validation is one object's.
type validation struct {
	found []Violation
	// blocked means that the API server does not evaluate expressions: a value has the wrong type, is
	// missing, too large or not one of those that are allowed (apiextensions-apiserver,
	// pkg/registry/customresource/strategy.go, hasBlockingErr).
	blocked bool
	old     correlation
	*Validator
}

func (v *validation) add(at *loader.Value, path, message string) {
	v.report(Violation{At: at, Path: path, Message: message})
}

func (v *validation) report(one Violation) {
	if one.Path = strings.TrimPrefix(one.Path, "."); one.Path == "" {
		one.Path = "the object"
	}
	if len(v.found) < maxViolations {
		v.found = append(v.found, one)
	}
}

func (v *validation) block(at *loader.Value, path, message string) {
	v.blocked = true
	v.add(at, path, message)
}

// visitor checks a value. It returns false if what is in the value is not to be visited.
type visitor func(n *node, value, old *loader.Value, path string) bool

// walk visits a value and everything in it. Nulls that are not allowed were dropped before.
func (v *validation) walk(n *node, value, old *loader.Value, path string, visit visitor) {
	if n == nil || value.IsNull() || value.Opaque || len(v.found) == maxViolations {
		return
	}
	if n.checks != nil && !visit(n, value, old, path) {
		return
	}
	for _, f := range value.FieldList() {
		v.walk(n.key(f.Key), f.Value, old.Get(f.Key), path+"."+f.Key, visit)
	}
	for i, item := range value.ItemList() {
		v.walk(n.items, item, v.old.item(n, item, old), fmt.Sprintf("%s[%d]", path, i), visit)
	}
}

// shape checks a value itself.
func (v *validation) shape(n *node, value, _ *loader.Value, path string) bool {
	c := n.checks
	if !c.fits(value) {
		v.block(value, path, "must be of type "+c.typeName())
		return false
	}
	if len(c.Enum) > 0 && value.Shape != loader.Map && value.Shape != loader.List && !v.offers(c, value.Text) {
		v.block(value, path, "must be one of "+strings.Join(c.Enum[:min(len(c.Enum), maxNamed)], ", "))
	}
	switch value.Shape {
	case loader.String:
		v.sized(c, value, path, utf8.RuneCountInString(value.Text), "characters")
		for _, pattern := range append([]string{c.Pattern}, c.Patterns...) {
			if pattern != "" && !v.matches(pattern, value.Text) {
				v.add(value, path, formOf(pattern))
			}
		}
	case loader.Int, loader.Float:
		number, err := strconv.ParseFloat(value.Text, 64)
		if err != nil {
			number = math.NaN()
		}
		if c.Least != nil && number < *c.Least {
			v.add(value, path, fmt.Sprintf("must be at least %v", *c.Least))
		}
		if c.Most != nil && number > *c.Most {
			v.add(value, path, fmt.Sprintf("must be at most %v", *c.Most))
		}
	case loader.Map:
		v.sized(c, value, path, len(value.Fields), "entries")
		for _, name := range c.Required {
			if value.Get(name).IsNull() {
				v.block(value, path, name+" is required")
			}
		}
	case loader.List:
		v.sized(c, value, path, len(value.Items), "items")
		v.unique(c, value, path)
	default:
	}
	return true
}

// formOf says which form a pattern demands. The longest ones tell a reader nothing.
func formOf(pattern string) string {
	const readable = 200
	if len(pattern) > readable {
		return "must have the form that the schema demands"
	}
	return "must match " + pattern
}

// maxNamed is how many values of an enumeration a message names.
const maxNamed = 50

// offers reports whether an enumeration has a value.
func (r *Validator) offers(c *checks, text string) bool {
	const few = 20
	if len(c.Enum) <= few {
		return slices.Contains(c.Enum, text)
	}
	set, known := r.enums[c]
	if !known {
		set = make(map[string]bool, len(c.Enum))
		for _, one := range c.Enum {
			set[one] = true
		}
		r.enums[c] = set
	}
	return set[text]
}

func (v *validation) sized(c *checks, value *loader.Value, path string, size int, unit string) {
	switch {
	case c.MinSize != nil && size < *c.MinSize:
		v.add(value, path, fmt.Sprintf("must have at least %d %s", *c.MinSize, unit))
	case c.MaxSize != nil && size > *c.MaxSize:
		v.block(value, path, fmt.Sprintf("must have at most %d %s", *c.MaxSize, unit))
	}
}

// unique checks that no two items of a list are the same by its keys, or as a whole.
func (v *validation) unique(c *checks, list *loader.Value, path string) {
	if len(c.Keys) == 0 && !c.Set {
		return
	}
	seen := map[string]bool{}
	for i, item := range list.Items {
		id := item.Text
		if len(c.Keys) > 0 {
			id = identity(c.Keys, item)
		}
		if seen[id] {
			v.add(item, fmt.Sprintf("%s[%d]", path, i), "is a duplicate by "+strings.Join(append(slices.Clone(c.Keys), "value")[:max(len(c.Keys), 1)], ", "))
		}
		seen[id] = true
	}
}

func (c *checks) typeName() string {
	if c.IntOrString {
		return "integer or string"
	}
	return c.Type
}

// fits reports whether a value has the declared type.
func (c *checks) fits(value *loader.Value) bool {
	if c.IntOrString {
		return value.Shape == loader.Int || value.Shape == loader.String
	}
	if c.Type == "integer" && value.Shape == loader.Float {
		number, err := strconv.ParseFloat(value.Text, 64)
		return err == nil && number == math.Trunc(number)
	}
	return fits(c.Type, value.Shape)
}

// matches reports whether a text matches a pattern. A pattern that cannot be compiled allows everything, and so does
// one that is too large, or too much for the text.
func (r *Validator) matches(pattern, text string) bool {
	compiled, known := r.patterns[pattern]
	if !known {
		var err error
		if compiled, err = expression.Compile(pattern); err != nil {
			compiled = nil
		}
		if len(r.patterns) < maxPatterns {
			r.patterns[pattern] = compiled
		}
	}
	if compiled == nil {
		r.skip(TooCostly)
		return true
	}
	if len(text) > freeText && !r.spend(uint64(expression.States(pattern)*len(text)/statesPerUnit)) {
		return true
	}
	return compiled.MatchString(text)
}

// maxPatterns is how many patterns are kept compiled. A match of a text longer than freeText costs its bytes times the
// states of the pattern, of which statesPerUnit take as long as one unit of CEL.
const (
	maxPatterns   = 1_000
	freeText      = 1 << 10
	statesPerUnit = 50
)

func (r *Validator) skip(why Skipped) { r.skipped = max(r.skipped, why) }

// spend takes a cost from what is left. It returns false, and nothing of it, if that is more.
func (r *Validator) spend(cost uint64) bool {
	if cost > r.left {
		r.skip(TooCostly)
		return false
	}
	r.left -= cost
	return true
}
