package gotemplate_test

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/Masterminds/sprig/v3"

	"github.com/gwplan/gwplan/loader/gotemplate"
)

// run executes a text with instrumentation. include and tpl are Helm's, in short.
func run(text string, limits gotemplate.Limits, data any) (string, error) {
	b := gotemplate.NewBudget(limits)
	t := template.New("x").Option("missingkey=zero").Funcs(b.Sprig())
	include := func(name string, data any) (string, error) {
		var out strings.Builder
		err := t.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	var tpl func(string, any) (string, error)
	tpl = func(text string, data any) (string, error) {
		inner, err := template.Must(t.Clone()).New("tpl").Funcs(template.FuncMap{"tpl": tpl, "include": include}).Parse(text)
		if err != nil {
			return "", err
		}
		var out strings.Builder
		err = inner.Execute(&out, data)
		return out.String(), err
	}
	t.Funcs(template.FuncMap{"include": include, "tpl": tpl})
	safe, err := gotemplate.Instrument(text)
	if err != nil {
		return "", err
	}
	if _, err := t.Parse(safe); err != nil {
		return "", err
	}
	var out strings.Builder
	err = t.Execute(&out, data)
	if b.Err() != nil {
		err = b.Err()
	}
	return out.String(), err
}

// TestSame: what a template prints does not change.
func TestSame(t *testing.T) {
	data := map[string]any{"list": []any{"a", "b"}, "n": 3, "map": map[string]any{"k": "v", "j": nil}, "empty": ""}
	for _, c := range []struct{ in, want string }{
		{"plain", "plain"},
		{"{{ .n }} {{ .missing }}|{{ .map.j }}", "3 <no value>|<no value>"},
		{"{{ range $i, $e := .list }}{{ $i }}{{ $e | upper | quote }},{{ else }}none{{ end }}", `0"A",1"B",`},
		{"{{ range .empty2 }}x{{ else }}none{{ end }}", "none"},
		{"{{- if and .map.k (not .empty) }} yes {{- else }} no {{- end }}", " yes"},
		{"{{ with .map }}{{ .k }}{{ end }}{{ with .empty }}x{{ else }}y{{ end }}", "vy"},
		{`{{ define "t" }}[{{ . }}]{{ end }}{{ template "t" .n }}{{ include "t" "x" | nindent 2 }}`, "[3]\n  [x]"},
		{`{{ tpl "{{ .n }}-{{ range .list }}{{ . }}{{ end }}" . }}`, "3-ab"},
		{`{{ $x := dict "a" 1 }}{{ $_ := set $x "b" 2 }}{{ $x }}`, "map[a:1 b:2]"},
		{`{{ (dict "a" (dict "b" "deep")).a.b }}`, "deep"},
		{`{{ range $k, $v := dict "a" 1 "b" 2 }}{{ $k }}{{ $v }}{{ end }}`, "a1b2"},
		{`{{ range until 3 }}{{ if eq . 1 }}{{ continue }}{{ end }}{{ . }}{{ end }}{{ range 5 }}{{ if eq . 2 }}{{ break }}{{ end }}{{ . }}{{ end }}`, "0201"},
		{`{{ printf "%s-%d %5.1f" "a" 1 2.5 }}{{ "{{" }}`, "a-1   2.5{{"},
		{`{{ index .list 1 }}{{ len .list }}{{ .list | first }}`, "b2a"},
		{`{{ eq .n 3 }}{{ ternary "a" "b" true }}{{ .map.k | default "x" }}{{ .map.j | default "x" }}`, "trueavx"},
		{`{{ merge (dict "a" 1) (dict "a" 2 "b" 3) }}`, "map[a:1 b:3]"},
		{`{{ keys (dict "b" 1 "a" 2) | join "," }}`, "a,b"},
		{`{{/* a comment */}}x`, "x"},
	} {
		got, err := run(c.in, gotemplate.DefaultLimits(), data)
		if err != nil || got != c.want {
			t.Errorf("%s: got %q, %v; want %q", c.in, got, err, c.want)
		}
	}
}

// TestBounds: what would run for ever, fill the memory or end the process ends
// with an error.
func TestBounds(t *testing.T) {
	for _, in := range []string{
		`{{ range 1000000000000 }}{{ end }}`,
		`{{ range until 1000000000 }}{{ end }}`,
		`{{ range untilStep 0 1000000000 1 }}x{{ end }}`,
		`{{ range 100000 }}{{ range 100000 }}{{ end }}{{ end }}`,
		`{{ repeat 1000000000 "x" }}`,
		`{{ "x" | indent 1000000000 }}`,
		`{{ "x" | nindent 1000000000 }}`,
		`{{ seq 1000000000 }}`,
		`{{ printf "%01000000d" 1 }}`,
		`{{ printf "%*d" 1000000 1 }}`,
		`{{ $x := "x" }}{{ range 64 }}{{ $x = print $x $x }}{{ end }}`,
		`{{ $x := repeat 100000 "a" }}{{ replace "a" $x $x }}`,
		`{{ $x := repeat 100000 "a" }}{{ regexReplaceAll "a" $x $x }}`,
		`{{ $x := dict }}{{ range 64 }}{{ $x = dict "a" $x "b" $x }}{{ end }}{{ $x }}`,
		`{{ $x := dict }}{{ range 5000 }}{{ $x = dict "a" $x }}{{ end }}{{ $x }}`,
		`{{ $x := list }}{{ range 5000 }}{{ $x = list $x }}{{ end }}{{ $x }}`,
		`{{ $x := dict }}{{ $_ := set $x "a" $x }}{{ $x }}`,
		`{{ $x := dict }}{{ $_ := set $x "a" (list $x) }}{{ $x }}`,
		`{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}`,
		`{{ define "a" }}{{ include "b" . }}{{ include "b" . }}{{ end }}{{ define "b" }}{{ include "c" . }}{{ include "c" . }}{{ end }}{{ define "c" }}{{ range 1000 }}{{ range 1000 }}{{ end }}{{ end }}{{ end }}{{ include "a" . }}`,
		`{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}`,
		`{{ tpl .self . }}`,
		`{{ tpl "{{ range 1000000000000 }}{{ end }}" . }}`,
		`{{ range until 100000 }}{{ tpl "{{ . }}" . }}{{ end }}`,
		`{{ randBytes 1000000000 }}`,
		`{{untilStep -9223372036854775808 9223372036854775807 1}}`,
		`{{ seq -9223372036854775808 9223372036854775807 }}`,
		`{{ seq 0 -9223372036854775808 }}`,
		`{{ until 90000 | uniq }}`,
		`{{ without (until 90000) 1 | len }}{{ $b := repeat 15000000 "x" }}{{ range 400000 }}{{ $_ := sha256sum $b }}{{ end }}`,
		`{{ $x := repeat 10000000 "x" }}{{ $y := print $x $x }}`,
		`{{ define "a" }}` + strings.Repeat("{{ if 1 }}", 100) + `{{ template "a" . }}` + strings.Repeat("{{ end }}", 100) + `{{ end }}{{ template "a" . }}`,
		strings.Repeat("{{ if 1 }}", 300) + strings.Repeat("{{ end }}", 300),
		`{{ tpl (print (repeat 1000000 "{{ if 1 }}") (repeat 1000000 "{{ end }}")) . }}`,
		strings.Repeat("{{ if 1 }}", 1_000_000) + strings.Repeat("{{ end }}", 1_000_000),
		`{{ gwplanLeave 1 }}`,
		`{{ tpl "{{ gwplanLeave 1 }}" . }}`,
	} {
		limits := gotemplate.DefaultLimits()
		limits.Time = time.Second
		if out, err := run(in, limits, map[string]any{"self": "{{ tpl .self . }}"}); err == nil {
			t.Errorf("%s: printed %d bytes without an error", in, len(out))
		}
	}
}

// TestPartsOfTexts: a list of the parts of a long text is refused before it is made.
func TestPartsOfTexts(t *testing.T) {
	for _, call := range []string{
		`splitList "," $x`, `splitList "" $x`, `split "," $x`, `splitn "," -1 $x`, `splitn "," 500000 $x`,
		`regexSplit "," $x -1`, `regexFindAll "a" $x -1`, `regexFindAll "" $x 900000`, `mustRegexFindAll "a" $x -1`, `mustRegexSplit "" $x -1`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := run(`{{ $x := repeat 2000000 "a," }}{{ `+call+` | len }}`, gotemplate.DefaultLimits(), nil)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "a list has more than 100000 items") {
			t.Errorf("%s: %v", call, err)
		}
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 64 {
			t.Errorf("%s takes %d MiB", call, took)
		}
	}
	const most = `{{ $x := repeat 100000 "a" }}{{ splitList "a" (trunc 99999 $x) | len }} {{ regexFindAll "a" $x -1 | len }} {{ splitn "a" 3 $x | len }} {{ regexSplit "a" $x 7 | len }}`
	if out, err := run(most, gotemplate.DefaultLimits(), nil); err != nil || out != "100000 100000 3 7" {
		t.Errorf("got %q, %v", out, err)
	}
}

// TestSharedParts: dictionaries that share parts are merged without a circle.
func TestSharedParts(t *testing.T) {
	const in = `{{$x := dict "q" 1}}{{$into := dict "a" $x}}{{$from := dict "a" (dict "b" $x "c" $x)}}{{$r := mergeOverwrite $into $from}}{{ $r.a.b.q }}{{ $r | toString | len }}`
	if out, err := run(in, gotemplate.DefaultLimits(), nil); err != nil || !strings.HasPrefix(out, "1") {
		t.Errorf("%q, %v", out, err)
	}
}

// TestMergedIntoItself: a copy is merged, so that nothing goes round.
func TestMergedIntoItself(t *testing.T) {
	out, err := run(`{{ $x := dict "k" "v" }}{{ $_ := merge $x (dict "a" (dict "b" $x)) }}{{ $x }}`, gotemplate.DefaultLimits(), nil)
	if err != nil || out != "map[a:map[b:map[k:v]] k:v]" {
		t.Errorf("%q, %v", out, err)
	}
}

// TestSteady: nothing of the surroundings, no chance, and no slow functions.
func TestSteady(t *testing.T) {
	const in = `{{ now | date "2006" }}{{ uuidv4 }}{{ randAlphaNum 3 }}{{ shuffle "abc" }}{{ getHostByName "localhost" }}{{ (genCA "x" 1).Cert }}{{ genPrivateKey "rsa" }}{{ date_in_zone "150405.000000" "x" "UTC" }}{{ (mustToDate "2006-01-02" "2024-01-01").Location }}{{ htpasswd "a" "b" }}`
	a, err := run(in, gotemplate.DefaultLimits(), nil)
	b, _ := run(in, gotemplate.DefaultLimits(), nil)
	if err != nil || a != b || !strings.HasPrefix(a, "1970") {
		t.Errorf("%q, %q: %v", a, b, err)
	}
	for _, f := range []string{`{{ env "HOME" }}`, `{{ expandenv "$HOME" }}`} {
		if out, err := run(f, gotemplate.DefaultLimits(), nil); err == nil {
			t.Errorf("%s gave %q", f, out)
		}
	}
}

// TestOtherNames: where a function of sprig is replaced, it is so under each of its names.
func TestOtherNames(t *testing.T) {
	theirs, ours := sprig.TxtFuncMap(), gotemplate.NewBudget(gotemplate.DefaultLimits()).Funcs()
	replaced := map[uintptr]string{}
	for name, f := range theirs {
		if ours[name] != nil {
			replaced[reflect.ValueOf(f).Pointer()] = name
		}
	}
	for name, f := range theirs {
		if other := replaced[reflect.ValueOf(f).Pointer()]; other != "" && ours[name] == nil {
			t.Errorf("%s is replaced, and %s is the same function", other, name)
		}
	}
}

// FuzzInstrument: a template that parses prints the same with and without
// instrumentation.
func FuzzInstrument(f *testing.F) {
	for _, seed := range []string{"{{ .a }}", "{{ range .l }}{{ . }}{{ end }}", `{{ define "x" }}a{{ end }}{{ template "x" }}`, "{{ if .a }}b{{ else if .c }}d{{ end }}", `{{ $x := "a" }}{{ $x | len }}`} {
		f.Add(seed)
	}
	data := map[string]any{"a": "A", "l": []any{1, "b"}, "c": map[string]any{"d": 1.5}}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 300 || strings.Contains(text, "range") && strings.ContainsAny(text, "0123456789") {
			return
		}
		plain, err := template.New("x").Option("missingkey=zero").Parse(text)
		if err != nil {
			return
		}
		var want strings.Builder
		wantErr := plain.Execute(&want, data)
		safe, err := gotemplate.Instrument(text)
		if err != nil {
			t.Fatalf("%q parses and is refused: %v", text, err)
		}
		b := gotemplate.NewBudget(gotemplate.DefaultLimits())
		rewritten, err := template.New("x").Option("missingkey=zero").Funcs(b.Funcs()).Parse(safe)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, safe, err)
		}
		var got strings.Builder
		gotErr := rewritten.Execute(&got, data)
		if (gotErr == nil) != (wantErr == nil) || gotErr == nil && got.String() != want.String() {
			t.Fatalf("%q printed %q, %v; as %q %q, %v", text, want.String(), wantErr, safe, got.String(), gotErr)
		}
	})
}
