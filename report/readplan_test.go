package report_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

// FuzzReadPlan holds that a file that somebody else wrote is refused, or that each format prints it. What is printed as
// JSON is the same plan. The value at one place is replaced, so that a plan keeps most of its shape.
func FuzzReadPlan(f *testing.F) {
	all := plans()
	all["every field"], all["every list of texts is empty"] = everyField("x"), everyField()
	for i, name := range slices.Sorted(maps.Keys(all)) {
		text, err := json.Marshal(all[name])
		if err != nil {
			f.Fatal(err)
		}
		for j, value := range []string{"", "null", "[null]", `{"": null}`, "-1", "1e999", `"\u001b[31m"`} {
			f.Add(string(text), uint16(i*97+j*13), value)
		}
	}
	f.Add(`{"schemaVersion": "gwplan.dev/v1", "base": null, "head": null, "summary": null}`, uint16(0), "")
	f.Fuzz(func(t *testing.T, text string, at uint16, value string) {
		printable(t, withValue(text, int(at), value))
	})
}

// Lists that are never empty in a plan of gwplan may be empty in one that somebody else wrote.
func TestPlansWithEmptyLists(t *testing.T) {
	targets, version := incomplete(), empty()
	targets.Environments[0].Changes = []plan.Change{{Kind: plan.Detached}}
	version.Unseen = []plan.Unseen{{What: "Gateway x", Change: "added", Version: true}}
	for _, doc := range []*plan.Plan{targets, version} {
		printable(t, planAs(t, "json", doc, outline.Style{}))
	}
}

// everyField is a plan that has a value in each of its fields; words are the items of its lists of texts.
func everyField(words ...string) *plan.Plan {
	var doc plan.Plan
	fillFields(reflect.ValueOf(&doc).Elem(), words)
	doc.SchemaVersion = plan.SchemaVersion
	return &doc
}

func fillFields(v reflect.Value, words []string) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillFields(v.Elem(), words)
	case reflect.Struct:
		for i := range v.NumField() {
			fillFields(v.Field(i), words)
		}
	case reflect.Slice:
		n := 1
		if v.Type().Elem().Kind() == reflect.String {
			n = len(words)
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fillFields(v.Index(i), words)
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Int:
		v.SetInt(1)
	default:
	}
}

// printable fails if a text is a plan and some format cannot print it.
func printable(t *testing.T, text string) {
	t.Helper()
	doc, err := report.ReadPlan(strings.NewReader(text))
	if err != nil {
		checkTerminal(t, err.Error())
		return
	}
	for _, format := range report.Plan.Formats() {
		for _, style := range []outline.Style{{}, {Detail: outline.Verbose, All: true, Ignored: true, MaxBytes: 3_000, Links: linked().Links, Folder: "apps"}} {
			out := planAs(t, format, doc, style)
			if format != "html" && format != "markdown" && format != "junit" {
				checkTerminal(t, out)
			}
		}
	}
	first := planAs(t, "json", doc, outline.Style{})
	again, err := report.ReadPlan(strings.NewReader(first))
	if err != nil {
		t.Fatalf("what is printed is refused: %v\n%s", err, first)
	}
	if second := planAs(t, "json", again, outline.Style{}); second != first {
		t.Errorf("printed as\n%s\nand read from there as\n%s", first, second)
	}
}

// withValue replaces one of the values of a JSON text. A text that is no JSON, or a value that is none, leaves it as it is.
func withValue(text string, at int, value string) string {
	var doc, to any
	if json.Unmarshal([]byte(text), &doc) != nil || !json.Valid([]byte(value)) {
		return text
	}
	to = json.RawMessage(value)
	out, err := json.Marshal(replaceValue(doc, &at, to))
	if err != nil {
		return text
	}
	return string(out)
}

func replaceValue(v any, at *int, to any) any {
	if *at--; *at == -1 {
		return to
	}
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = replaceValue(v[i], at, to)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			v[key] = replaceValue(v[key], at, to)
		}
	}
	return v
}
