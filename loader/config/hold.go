package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// reader reads one file.
type reader struct {
	mistakes
	text   *text
	config *Config
	// names maps the name of each environment to its line.
	names map[string]int
}

// place locates a value: path is shown in messages, at is its position in the file.
type place struct {
	path string
	at   loader.Position
}

// key returns the place of a map entry.
func (p place) key(name string, at loader.Position) place {
	switch {
	case !plainKey(name):
		p.path += "[" + quote(name) + "]"
	case p.path == "":
		p.path = name
	default:
		p.path += "." + name
	}
	p.at = at
	return p
}

// item returns the place of a list item.
func (p place) item(i int, at loader.Position) place {
	return place{path: p.path + "[" + strconv.Itoa(i) + "]", at: at}
}

// subject returns the name of the value for a message.
func (p place) subject() string {
	if p.path == "" {
		return "the file"
	}
	return p.path
}

func plainKey(s string) bool {
	return s != "" && len(s) <= maxShown && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// hold checks a value against its shape (types, keys, enum words) and records mistakes.
func (r *reader) hold(v *loader.Value, s *shape, p place) {
	switch {
	case r.more:
	case len(s.Enum) > 0:
		r.holdWord(v, s, p)
	case len(s.Type) > 0 && !slices.Contains(s.Type, typeOf(v)):
		r.wrongType(v, s, p)
	case v.Shape == loader.Map:
		r.holdMap(v, s, p)
	case v.Shape == loader.List && s.Items != nil:
		for i, item := range v.Items {
			r.hold(item, s.Items, p.item(i, r.text.position(item)))
		}
	}
}

func (r *reader) holdMap(v *loader.Value, s *shape, p place) {
	for _, f := range v.Fields {
		if r.more {
			return
		}
		below := s.Properties[f.Key]
		if below == nil && s.AdditionalProperties != nil {
			below = s.AdditionalProperties.shape
		}
		key := p.key(f.Key, r.text.position(f.Value))
		if below != nil {
			r.hold(f.Value, below, key)
			continue
		}
		r.wrongKey(f, key.path+" is not a known key", advice(f.Key, slices.Sorted(maps.Keys(s.Properties))))
	}
	for _, key := range s.Required {
		if v.Get(key) == nil {
			r.mistake(p.at, fmt.Sprintf("%s has no %s", p.subject(), key), "add it: "+described(s.Properties[key]))
		}
	}
}

// wrongKey records a mistake in a key. Finding its position is costly, so it checks the limit
// first.
func (r *reader) wrongKey(f loader.Field, message, hint string) {
	if !r.full() {
		r.mistake(r.text.key(f), message, hint)
	}
}

func (r *reader) holdWord(v *loader.Value, s *shape, p place) {
	var known []string
	for _, e := range s.Enum {
		word, isText := e.(string)
		switch {
		case isText && v.Shape == loader.String && v.Text == word,
			e == nil && v.Shape == loader.Null,
			e == false && v.Shape == loader.Bool && v.Text == "false":
			return
		case isText:
			known = append(known, word)
		}
	}
	if v.Shape == loader.String {
		r.mistake(p.at, fmt.Sprintf("%s is %s, which is not an allowed value", p.subject(), quote(v.Text)), advice(v.Text, known))
		return
	}
	r.mistake(p.at, fmt.Sprintf("%s is %s, not a word", p.subject(), typeNames[typeOf(v)]), "use one of "+strings.Join(known, ", "))
}

func (r *reader) wrongType(v *loader.Value, s *shape, p place) {
	wanted := s.Type[0]
	r.mistake(p.at, fmt.Sprintf("%s is %s, not %s", p.subject(), typeNames[typeOf(v)], typeNames[wanted]), remedy(v, wanted))
}

// remedy returns a hint how to write a value of the wanted type.
func remedy(v *loader.Value, wanted string) string {
	switch {
	case v.Shape == loader.Null:
		return "give it a value, or leave it out"
	case wanted == "boolean":
		return "write true or false"
	case wanted == "array":
		return "write each item behind a dash"
	case wanted == "object":
		return "write keys and values below it"
	case v.Shape == loader.Map, v.Shape == loader.List:
		return "write one text"
	}
	return "quote it"
}

// typeNames are the JSON Schema types as shown in messages.
var typeNames = map[string]string{
	"null": "null", "boolean": "a boolean", "number": "a number",
	"string": "a string", "object": "a map", "array": "a list",
}

func typeOf(v *loader.Value) string {
	switch v.Shape {
	case loader.Bool:
		return "boolean"
	case loader.Int, loader.Float:
		return "number"
	case loader.String:
		return "string"
	case loader.Map:
		return "object"
	case loader.List:
		return "array"
	case loader.Null:
	}
	return "null"
}

// described returns the description of a shape so that it can end a sentence.
func described(s *shape) string {
	d := strings.TrimSuffix(s.Description, ".")
	if d == "" {
		return "it is required"
	}
	return strings.ToLower(d[:1]) + d[1:]
}
