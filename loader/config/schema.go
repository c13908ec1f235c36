package config

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

//go:embed schema.json
var schemaJSON []byte

// Schema is the JSON Schema (draft-07) of the file. Editors use it to complete and
// validate. The parser of this package takes the known keys and their types from it.
func Schema() []byte { return bytes.Clone(schemaJSON) }

// shape is the part of JSON Schema that the parser evaluates. The rest of the schema
// (patterns, lengths, one of two keys) is for editors: the parser has its own checks with
// better messages, and a test keeps the two consistent.
type shape struct {
	Ref                  string            `json:"$ref"`
	Description          string            `json:"description"`
	Type                 words             `json:"type"`
	Enum                 []any             `json:"enum"`
	Properties           map[string]*shape `json:"properties"`
	AdditionalProperties *rest             `json:"additionalProperties"`
	Required             []string          `json:"required"`
	Items                *shape            `json:"items"`
	Definitions          map[string]*shape `json:"definitions"`
}

// words is the value of `type`: one word or several.
type words []string

// UnmarshalJSON accepts a string or a list of strings.
func (w *words) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*w = words{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(w))
}

// rest is the shape of the properties that are not listed; nil for false.
type rest struct{ shape *shape }

// UnmarshalJSON accepts false or a schema.
func (r *rest) UnmarshalJSON(data []byte) error {
	if string(data) == "false" {
		return nil
	}
	return json.Unmarshal(data, &r.shape)
}

var shapes = sync.OnceValues(func() (*shape, error) {
	top := &shape{}
	if err := json.Unmarshal(schemaJSON, top); err != nil {
		return nil, fmt.Errorf("the schema of the config: %v", err)
	}
	if err := top.resolve(top); err != nil {
		return nil, fmt.Errorf("the schema of the config: %v", err)
	}
	return top, nil
})

// resolve replaces references by their definitions. A description next to a reference
// takes precedence. It needs no cycle check: the definitions of this schema have no cycle.
func (s *shape) resolve(top *shape) error {
	if name, ok := strings.CutPrefix(s.Ref, "#/definitions/"); ok {
		d := top.Definitions[name]
		if d == nil {
			return fmt.Errorf("no definition %q", name)
		}
		described := s.Description
		*s = *d
		if described != "" {
			s.Description = described
		}
	}
	below := []*shape{s.Items}
	if s.AdditionalProperties != nil {
		below = append(below, s.AdditionalProperties.shape)
	}
	for _, p := range s.Properties {
		below = append(below, p)
	}
	for _, b := range below {
		if b == nil {
			continue
		}
		if err := b.resolve(top); err != nil {
			return err
		}
	}
	return nil
}
