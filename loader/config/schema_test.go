package config_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/loader/config"
)

// compiled is the published schema, or the part of it at a fragment.
func compiled(t *testing.T, fragment string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(config.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	// The schema itself is held against draft-07 here.
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json" + fragment)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asJSON is what an editor holds against the schema; false where the text
// cannot be read at all.
func asJSON(t *testing.T, text string) (any, bool) {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, false
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return v, true
}

func good() map[string]string {
	return map[string]string{
		"full": full, "empty": "{}", "colours": colours,
		"longest names":    "controllers:\n  ? " + strings.Repeat("a", 253) + "\n  : a/" + strings.Repeat("b", 251) + "\n",
		"starter":          string(config.Starter(nil)) + "\ncomplete: false\n",
		"starter, in use":  uncommented(config.Starter(nil)),
		"keys without any": "environments:\nkinds:\nages:\nnamespaces:\ncontrollers:\nexternal:\nrules:\nignore:\n",
	}
}

func TestSchemaTakesWhatParseTakes(t *testing.T) {
	s := compiled(t, "")
	for name, text := range good() {
		parse(t, text)
		v, ok := asJSON(t, text)
		if err := s.Validate(v); !ok || err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaRefusesWhatParseRefuses(t *testing.T) {
	s := compiled(t, "")
	for _, tt := range mistakes() {
		v, ok := asJSON(t, tt.text)
		refused := !ok || s.Validate(v) != nil
		if refused == tt.beyond && ok {
			t.Errorf("%s: refused by the schema: %v", tt.name, refused)
		}
	}
}

// part is the JSON of one definition.
type part struct {
	Ref                  string          `json:"$ref"`
	Type                 any             `json:"type"`
	Enum                 []any           `json:"enum"`
	Properties           map[string]part `json:"properties"`
	Definitions          map[string]part `json:"definitions"`
	Items                *part           `json:"items"`
	AdditionalProperties json.RawMessage `json:"additionalProperties"`
}

func parts(t *testing.T) part {
	t.Helper()
	var p part
	if err := json.Unmarshal(config.Schema(), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p part) at(top part) part {
	if name, ok := strings.CutPrefix(p.Ref, "#/definitions/"); ok {
		return top.Definitions[name]
	}
	return p
}

// A field of an entry that the schema does not know could not be used, and one
// that only the schema knows would be refused later.
func TestSchemaHasTheFieldsOfEntries(t *testing.T) {
	top := parts(t)
	sameFields(t, "kind", top.Definitions["kind"], top, reflect.TypeFor[catalogue.Entry]())
}

// A key that only the schema knows would be taken and mean nothing.
func TestSchemaHasTheFieldsOfConfig(t *testing.T) {
	top := parts(t)
	var keys []string
	for f := range reflect.TypeFor[config.Config]().Fields() {
		if f.IsExported() && f.Name != "File" {
			keys = append(keys, strings.ToLower(f.Name))
		}
	}
	if got := slices.Sorted(maps.Keys(top.Properties)); !slices.Equal(got, sorted(keys)) {
		t.Errorf("the schema has %q, a Config has %q", got, sorted(keys))
	}
	sameFields(t, "controllers", top.Properties["controllers"], top, reflect.TypeFor[map[string]string]())
}

func sameFields(t *testing.T, name string, p, top part, of reflect.Type) {
	t.Helper()
	p = p.at(top)
	switch of.Kind() {
	case reflect.Pointer:
		sameFields(t, name, p, top, of.Elem())
	case reflect.Slice:
		if p.Items == nil {
			t.Errorf("%s is a list of anything", name)
			return
		}
		sameFields(t, name+"[]", *p.Items, top, of.Elem())
	case reflect.Map:
		var below part
		if err := json.Unmarshal(p.AdditionalProperties, &below); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		sameFields(t, name+".*", below, top, of.Elem())
	case reflect.Struct:
		if string(p.AdditionalProperties) != "false" {
			t.Errorf("%s takes any key", name)
		}
		var fields []string
		for _, f := range reflect.VisibleFields(of) {
			if f.Anonymous {
				continue // its fields are among these
			}
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if key == "-" {
				continue // derived from the others
			}
			fields = append(fields, key)
			below, ok := p.Properties[key]
			if !ok {
				t.Errorf("%s.%s is not in the schema", name, key)
				continue
			}
			sameFields(t, name+"."+key, below, top, f.Type)
		}
		for key := range p.Properties {
			if !slices.Contains(fields, key) {
				t.Errorf("%s.%s is in the schema alone", name, key)
			}
		}
	default:
		sameType(t, name, p, of)
	}
}

// sameType compares scalars; a word of a closed set is a string.
func sameType(t *testing.T, name string, p part, of reflect.Type) {
	t.Helper()
	want := map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean"}[of.Kind()]
	types, several := p.Type.([]any)
	if of.Kind() == reflect.Interface && len(types) > 2 && reflect.DeepEqual(types[:3], []any{"string", "number", "boolean"}) {
		return // any scalar, or a list
	}
	if len(p.Enum) == 0 && p.Type != any(want) && !(several && slices.Contains(types, any(want))) {
		t.Errorf("%s is %v in the schema and %v in an entry", name, p.Type, of)
	}
}

// The closed sets of words are those that an entry is held against later.
func TestSchemaHasTheWordsOfEntries(t *testing.T) {
	catalogue, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for field, tt := range map[string]struct{ definition, property, entry string }{
		"profile":    {"kind", "profile", "profile: WORD"},
		"class":      {"kind", "class", "class: WORD"},
		"namespace":  {"target", "namespace", "target: {namespace: WORD}"},
		"form":       {"ref", "form", "target: {refs: [{path: a, form: WORD}]}"},
		"algorithm":  {"levelMerge", "algorithm", "merge: {levels: {algorithm: WORD}}"},
		"at one":     {"sameMerge", "algorithm", "merge: {same: {algorithm: WORD}}"},
		"direction":  {"levelMerge", "direction", "merge: {levels: {direction: WORD}}"},
		"hops":       {"levelMerge", "hops", "merge: {levels: {hops: WORD}}"},
		"select at":  {"select", "at", "merge: {levels: {select: {at: WORD}}}"},
		"tie":        {"sameMerge", "tie", "merge: {same: {tie: WORD}}"},
		"protection": {"protection", "what", "protects: [{path: a, loosens: added, what: WORD}]"},
		"loosens":    {"protection", "loosens", "protects: [{path: a, what: tls, loosens: WORD}]"},
		"levels":     {"levels", "", "levels: [WORD]"},
		"effective":  {"levels", "", "effective: [WORD]"},
	} {
		top := parts(t)
		p := top.Definitions[tt.definition]
		if tt.property == "" {
			p = *p.Items
		} else {
			p = p.Properties[tt.property].at(top)
		}
		var known []string
		for _, word := range p.Enum {
			if word, ok := word.(string); ok {
				known = append(known, word)
			}
		}
		if got := wordsOf(t, catalogue, tt.entry); !slices.Equal(sorted(known), got) {
			t.Errorf("%s: the schema has %q, entries have %q", field, sorted(known), got)
		}
	}
}

// wordsOf are the words that an entry may have in the place of WORD, as the
// complaint about it lists them.
func wordsOf(t *testing.T, c *catalogue.Catalogue, entry string) []string {
	t.Helper()
	raw := map[string]any{}
	if err := yaml.Unmarshal([]byte("group: a\nkind: B\n"+entry), &raw); err != nil {
		t.Fatal(err)
	}
	_, err := c.Entry(raw)
	if err == nil {
		t.Fatalf("%s is taken", entry)
	}
	_, list, found := strings.Cut(err.Error(), "use one of ")
	if !found {
		if _, list, found = strings.Cut(err.Error(), "known are "); !found {
			t.Fatalf("%v lists no words", err)
		}
	}
	words := strings.Split(list, ", ")
	return sorted(slices.DeleteFunc(words, func(w string) bool { return w == "" }))
}

func sorted(words []string) []string { return slices.Sorted(slices.Values(words)) }

// colours is a kind written out in full.
const colours = `kinds:
- id: test/ColorPolicy
  profile: kuadrant-do
  group: kuadrant.io
  kind: ColorPolicy
  versions: [v1]
  target:
    refs: [{path: targetRef, form: one, section: sectionName}]
    allowed: [gw/Gateway:listener, gw/HTTPRoute:rule]
    namespace: same
  levels: [Gateway, Gateway:listener, Route, Route:rule]
  spec:
    common: [targetRef]
    bodies:
    - {path: defaults, direction: defaults, strategy: defaults.strategy}
    - {path: overrides, direction: overrides, strategy: overrides.strategy}
    - {path: "", direction: defaults, strategy: =atomic}
    proper: [rules]
    empty: rules
  merge:
    units: ["rules.*"]                  # per rule ...
    lists: [{path: rules, key: id}]     # ... by id
`

// What Parse hands on is an entry.
func TestKindsAreEntries(t *testing.T) {
	catalogue, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range good() {
		for _, raw := range parse(t, text).Kinds {
			if _, err := catalogue.Entry(raw); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	e, err := catalogue.Entry(parse(t, colours).Kinds[0])
	if err != nil || e.Spec.Empty != "rules" || e.Merge.Lists[0].Key != "id" || e.Merge.Levels.Direction != "from-body" {
		t.Errorf("%+v, %v", e, err)
	}
}

// The built-in entries could all stand in a config.
func TestSchemaTakesTheCatalogue(t *testing.T) {
	catalogue, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(map[string]any{"kinds": catalogue.Entries})
	if err != nil {
		t.Fatal(err)
	}
	// Fields without omitempty are written even where they are nil.
	if got := parse(t, string(data)); len(got.Kinds) != len(catalogue.Entries) {
		t.Errorf("%d of %d kinds", len(got.Kinds), len(catalogue.Entries))
	}
}

// The files of the catalogue hold against the published schema as they are
// written: #/definitions/catalogue.
func TestSchemaTakesTheFilesOfTheCatalogue(t *testing.T) {
	s := compiled(t, "#/definitions/catalogue")
	files, err := filepath.Glob("../../analyze/catalogue/entries/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, ok := asJSON(t, string(text))
		if err := s.Validate(v); !ok || err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestSchemaIsIndented(t *testing.T) {
	if !bytes.HasSuffix(config.Schema(), []byte("\n}\n")) || !bytes.HasPrefix(config.Schema(), []byte("{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n")) {
		t.Error("the schema is not indented, or not of draft-07")
	}
	mine := config.Schema()
	mine[0] = 'x'
	if config.Schema()[0] != '{' {
		t.Error("callers share the schema's bytes")
	}
}
