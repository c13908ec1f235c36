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

// Schema is the JSON Schema (draft-07) of the file. Editors complete and check
// with it; Parse takes from it which keys there are and what they hold.
func Schema() []byte { return bytes.Clone(schemaJSON) }

// shape is the part of JSON Schema that Parse goes by. What else the schema
// says (patterns, lengths, one of two keys) is for editors: Parse has its own
// words for it, and a test holds the two together.
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

// words are one word or several.
type words []string

// UnmarshalJSON takes a string or a list of them.
func (w *words) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*w = words{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(w))
}

// rest is the shape of the properties that have no name; none for false.
type rest struct{ shape *shape }

// UnmarshalJSON takes false or a schema.
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

// resolve puts definitions in the place of references. A description beside a
// reference is the nearer one. The definitions of this schema hold no cycle.
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
