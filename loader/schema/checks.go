package schema

import (
	"strconv"

	"github.com/gwplan/gwplan/loader"
)

// checks is what a schema node says about valid values. The zero value allows everything.
type checks struct {
	// Type is the declared type; IntOrString means x-kubernetes-int-or-string.
	Type        string `json:"t,omitempty"`
	IntOrString bool   `json:"is,omitempty"`
	// Enum are the allowed scalars.
	Enum    []string `json:"e,omitempty"`
	Pattern string   `json:"r,omitempty"`
	// Patterns are further ones, those of allOf: quantities have them.
	Patterns []string `json:"rs,omitempty"`
	// Least and Most limit a number, MinSize and MaxSize the length of a text (in characters), of a
	// list or of a map. Nil means no limit.
	Least   *float64 `json:"ge,omitempty"`
	Most    *float64 `json:"le,omitempty"`
	MinSize *int     `json:"min,omitempty"`
	MaxSize *int     `json:"max,omitempty"`
	// Required are the keys that a map must have.
	Required []string `json:"q,omitempty"`
	// Keys are the keys that identify the items of a list (x-kubernetes-list-map-keys); Set means
	// that its items are unique.
	Keys []string `json:"k,omitempty"`
	Set  bool     `json:"u,omitempty"`
	// Rules are the x-kubernetes-validations.
	Rules []rule `json:"v,omitempty"`
}

// rule is one expression of x-kubernetes-validations.
type rule struct {
	Expression string `json:"x"`
	Message    string `json:"m,omitempty"`
}

// compileChecks reads the checks of an openAPIV3Schema node, nil if there are none.
func compileChecks(v *loader.Value) *checks {
	c := checks{
		Type: v.Str("type"), IntOrString: v.Get("x-kubernetes-int-or-string").IsTrue(), Pattern: v.Str("pattern"),
		Least: decimal(v.Get("minimum")), Most: decimal(v.Get("maximum")),
	}
	for _, one := range v.List("enum") {
		c.Enum = append(c.Enum, one.Text)
	}
	for _, one := range v.List("allOf") {
		if pattern := one.Str("pattern"); pattern != "" {
			c.Patterns = append(c.Patterns, pattern)
		}
	}
	for _, one := range v.List("required") {
		c.Required = append(c.Required, one.Text)
	}
	switch v.Str("x-kubernetes-list-type") {
	case "map":
		for _, one := range v.List("x-kubernetes-list-map-keys") {
			c.Keys = append(c.Keys, one.Text)
		}
	case "set":
		c.Set = true
	}
	for _, kind := range []string{"Length", "Items", "Properties"} {
		if least := size(v.Get("min" + kind)); least != nil {
			c.MinSize = least
		}
		if most := size(v.Get("max" + kind)); most != nil {
			c.MaxSize = most
		}
	}
	for _, one := range v.List("x-kubernetes-validations") {
		c.Rules = append(c.Rules, rule{Expression: one.Str("rule"), Message: one.Str("message")})
	}
	if c.isZero() {
		return nil
	}
	return &c
}

func (c *checks) isZero() bool {
	return c.Type == "" && !c.IntOrString && c.Enum == nil && c.Pattern == "" && c.Patterns == nil && c.Least == nil && c.Most == nil &&
		c.MinSize == nil && c.MaxSize == nil && c.Required == nil && c.Keys == nil && !c.Set && c.Rules == nil
}

func decimal(v *loader.Value) *float64 {
	if v == nil {
		return nil
	}
	number, err := strconv.ParseFloat(v.Text, 64)
	if err != nil {
		return nil
	}
	return &number
}

func size(v *loader.Value) *int {
	number := decimal(v)
	if number == nil {
		return nil
	}
	whole := int(*number)
	return &whole
}
