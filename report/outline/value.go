package outline

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
)

// Unset is written where a field has no value.
const Unset = "unset"

// ValueText writes a JSON value on one line: strings without quotes if they are unambiguous, lists
// and maps in flow style. It converts through JSON, so that a value that was read back from a plan
// is written the same.
func ValueText(v any) string {
	v = jsonValue(v)
	if s, ok := v.(string); ok {
		return bare(s)
	}
	var b strings.Builder
	writeValue(&b, v)
	return b.String()
}

// jsonValue turns a value into nil, bool, string, json.Number, []any or
// map[string]any.
func jsonValue(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	var out any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&out); err != nil {
		return err.Error()
	}
	return out
}

func writeValue(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.WriteString(bareInside(v))
	case json.Number:
		b.WriteString(v.String())
	case []any:
		b.WriteString("[")
		for i, item := range v {
			separate(b, i)
			writeValue(b, item)
		}
		b.WriteString("]")
	case map[string]any:
		b.WriteString("{")
		for i, key := range slices.Sorted(maps.Keys(v)) {
			separate(b, i)
			b.WriteString(bareInside(key) + ": ")
			writeValue(b, v[key])
		}
		b.WriteString("}")
	default:
		b.WriteString(quoted(v))
	}
}

func separate(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteString(", ")
	}
}

// bare omits the quotes of a string if it cannot be confused with another value or with gwplan's
// own words.
func bare(s string) string {
	if s == "" || s == Unset || s != strings.TrimSpace(s) || strings.ContainsAny(s[:1], `[{"`) || strings.HasSuffix(s, "…") {
		return quoted(s)
	}
	if json.Valid([]byte(s)) {
		return quoted(s)
	}
	return s
}

// bareInside writes a string in a list or map, where punctuation separates items.
func bareInside(s string) string {
	if strings.ContainsAny(s, `,[]{}"`) || strings.Contains(s, ": ") || strings.HasPrefix(s, "…") {
		return quoted(s)
	}
	return bare(s)
}

func quoted(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Side is one side of a field.
type Side struct {
	Set    bool
	Value  any
	Source *plan.Source
}

// Before returns the side of base.
func Before(f *plan.Field) Side {
	return Side{Set: f.Action != plan.FieldAdded, Value: f.Before, Source: f.BeforeSource}
}

// After returns the side of head.
func After(f *plan.Field) Side {
	return Side{Set: f.Action != plan.FieldRemoved, Value: f.After, Source: f.AfterSource}
}

// text is the side's value, or "unset".
func (s Side) text() string {
	if !s.Set {
		return Unset
	}
	return ValueText(s.Value)
}
