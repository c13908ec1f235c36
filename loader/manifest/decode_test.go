package manifest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// leaves writes every value as path=text@line:column, one a line.
func leaves(v *loader.Value) string {
	var b strings.Builder
	var walk func(path string, v *loader.Value)
	walk = func(path string, v *loader.Value) {
		text := v.Text
		switch v.Shape {
		case loader.Map:
			text = "{}"
		case loader.List:
			text = "[]"
		case loader.Null:
			text = "null"
		case loader.String:
			text = fmt.Sprintf("%q", text)
		case loader.Bool, loader.Int, loader.Float:
		}
		fmt.Fprintf(&b, "%s=%s@%d:%d\n", path, text, v.Mark.Line, v.Mark.Column)
		for _, f := range v.Fields {
			walk(path+"/"+f.Key, f.Value)
		}
		for i, item := range v.Items {
			walk(fmt.Sprintf("%s/%d", path, i), item)
		}
	}
	walk("", v)
	return b.String()
}

func problems(ps []loader.Problem) []string {
	var out []string
	for _, p := range ps {
		out = append(out, fmt.Sprintf("%s %s %s: %s", p.Severity, p.Code, strings.TrimPrefix(p.Position.String(), ":"), p.Message))
	}
	return out
}

func TestPositions(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"block": {
			"a:\n  b: 5s\n  c:\n  - x\n  - d: 1\n    z:\n",
			"={}@1:1\n/a={}@1:1\n/a/b=\"5s\"@2:6\n/a/c=[]@3:3\n/a/c/0=\"x\"@4:5\n/a/c/1={}@5:5\n/a/c/1/d=1@5:8\n/a/c/1/z=null@6:5\n",
		},
		"flow": {
			"a: {b: [1, {c: d}]}\n",
			"={}@1:1\n/a={}@1:1\n/a/b=[]@1:5\n/a/b/0=1@1:9\n/a/b/1={}@1:12\n/a/b/1/c=\"d\"@1:16\n",
		},
		"JSON": {
			"{\n\t\"a\": [\n\t\t\"b\",\n\t\ttrue\n\t]\n}",
			"={}@1:1\n/a=[]@2:2\n/a/0=\"b\"@3:3\n/a/1=true@4:3\n",
		},
		"list in list": {"- - a\n  - b\n", "=[]@1:1\n/0=[]@1:3\n/0/0=\"a\"@1:5\n/0/1=\"b\"@2:5\n"},
		"code points":  {"ä: {ß: 日本, x: 1}\n", "={}@1:1\n/ä={}@1:1\n/ä/ß=\"日本\"@1:8\n/ä/x=1@1:15\n"},
		"CRLF":         {"# c\r\na: 1\r\nb:\r\n  c: 2\r\n", "={}@2:1\n/a=1@2:4\n/b={}@3:1\n/b/c=2@4:6\n"},
		"BOM":          {"\ufeffa: 1\nb: 2\n", "={}@1:1\n/a=1@1:4\n/b=2@2:4\n"},
		"block scalar": {"a: |\n  x\n  y\nb: >-\n  z\n", "={}@1:1\n/a=\"x\\ny\\n\"@1:4\n/b=\"z\"@4:4\n"},
		"second document": {
			"---\n# first\na: 1\n--- # comment\n\nb: 2\n",
			"={}@3:1\n/a=1@3:4\n={}@6:1\n/b=2@6:4\n",
		},
		"whole file, content on the mark": {
			"a: 1\n--- {b: 2}\n---\nc: 3\n",
			"={}@1:1\n/a=1@1:4\n={}@2:5\n/b=2@2:9\n={}@4:1\n/c=3@4:4\n",
		},
		"whole file, end mark": {"a: 1\n...\n---\nb: 2\n", "={}@1:1\n/a=1@1:4\n={}@4:1\n/b=2@4:4\n"},
		"lone CR, LF counts":   {"a: 1\rb: 2\nc: 3\n", "={}@1:1\n/a=1@1:4\n/b=2@1:9\n/c=3@2:4\n"},
		"line separator":       {"a: \"x\u2028 y\"\nb: 2\n", "={}@1:1\n/a=\"x\\u2028y\"@1:4\n/b=2@2:4\n"},
		"NEL after a comment":  {"# x\u0085a: 1\nb: 2\n", "={}@1:5\n/a=1@1:8\n/b=2@2:4\n"},
		"alias: use site": {
			"a: &x 5s\nb: *x\nc: &y {d: 1}\ne: *y\nf: [*x, *y]\n",
			"={}@1:1\n/a=\"5s\"@1:4\n/b=\"5s\"@2:4\n/c={}@3:1\n/c/d=1@3:11\n/e={}@4:1\n/e/d=1@3:11\n" +
				"/f=[]@5:1\n/f/0=\"5s\"@5:5\n/f/1={}@5:9\n/f/1/d=1@3:11\n",
		},
		"merge: own keys win": {
			"x: &x {a: 1, b: 2}\nw:\n  <<: *x\n  b: 3\nz: {<<: [*x, {c: 4, a: 9}]}\n",
			"={}@1:1\n/x={}@1:1\n/x/a=1@1:11\n/x/b=2@1:17\n/w={}@2:1\n/w/b=3@4:6\n/w/a=1@1:11\n" +
				"/z={}@5:1\n/z/a=1@1:11\n/z/b=2@1:17\n/z/c=4@5:18\n",
		},
		"only comments": {"# nothing\n---\n# here\n---\n", ""},
		"empty":         {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			roots, ps := manifest.Parse([]byte(tc.in), manifest.Limits{})
			if len(ps) > 0 {
				t.Fatalf("problems: %v", problems(ps))
			}
			got := ""
			for _, root := range roots {
				got += leaves(root)
			}
			if diff := cmp.Diff(strings.Split(tc.want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestOpaque(t *testing.T) {
	for in, want := range map[string]bool{
		"${DOMAIN}": true, "a.${DOMAIN:=x}.b": true, "${_x}": true, "$${DOMAIN}": false, "$${A} ${B}": true,
		"${1}": false, "${": false, "${DOMAIN": false, "$DOMAIN": false, "plain": false,
	} {
		roots, _ := manifest.Parse([]byte("a: "+in+"\n"), manifest.Limits{})
		if got := roots[0].Get("a"); got.Opaque != want || got.Text != in {
			t.Errorf("%s: opaque %v, text %q", in, got.Opaque, got.Text)
		}
	}
}

// scalars are resolved like sigs.k8s.io/yaml resolves them.
var scalars = []string{
	"", "~", "null", "Null", "NULL", "nUll", "true", "True", "TRUE", "tRue", "false", "y", "Y", "yes", "Yes", "YES", "yEs",
	"n", "N", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "0", "-0", "+1", "1", "12", "007", "08", "0o17", "0x1F", "0b101", "-0b101",
	"1_000", "_1", "1_", "0x_F", "1.0", "1.5", "-1.5", "+.5", ".5", "-.5", "1.", "1e3", "1E3", "1e+3", "1e-7", "1e21", "1e20", "-0.0", "1e999",
	"1e400", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775808",
	"-9223372036854775809", "5s", "10.0.0.1", "1.2.3", "12:30", "190:20:30", "2001-01-01", "2001-12-14t21:59:43.10-05:00", "0x", "0b", "0b2", "-",
	"+", ".", "..", "-x", "1,000", "1 2", "é", "=", "<", "!!str 5", "!!str y", "!!int 5", "!!int '5'", "!!float 5", "!!float 1.5", "!!bool y", "!!bool 'yes'", "!!null ''",
	"!!null x", "!!int x", "!!bool 1", "!custom 5", "!custom y", "'5'", "\"y\"", "\"\\u001b\"", "'null'", "|\n  5\n", ">-\n  y\n",
	".inf", "-.inf", ".nan", "+.INF", "1__0", "0_7", "0.1_5", "1e1_0", "00", "-07", "+0x1f", "-0x1F", "0X1F", "0B11", "0O7", "1e0x1", "1e39", "-1e39", "1.1e-50",
}

func TestScalarsAreThoseOfSigs(t *testing.T) {
	for _, s := range scalars {
		sameAsSigs(t, []byte("a: "+s+"\n"))
		sameAsSigs(t, []byte("- "+s+"\n"))
		if !strings.ContainsAny(s, "|>") && s != "" {
			sameAsSigs(t, []byte(s+": v\n"))
		}
	}
}

func sameAsSigs(t *testing.T, in []byte) {
	t.Helper()
	want, sigsErr := sigsyaml.YAMLToJSONStrict(in)
	roots, ps := manifest.Parse(in, manifest.Limits{})
	if len(ps) > 0 {
		if sigsErr == nil {
			t.Errorf("%q: refused (%v), sigs gives %s", in, problems(ps), want)
		}
		return
	}
	if sigsErr != nil {
		t.Errorf("%q: accepted, sigs says %v", in, sigsErr)
		return
	}
	got := []byte("null")
	if len(roots) > 0 {
		got = jsonOf(roots[0])
	}
	if !sameJSON(t, got, want) {
		t.Errorf("%q: got %s, want %s", in, got, want)
	}
}

// sameJSON compares but for the order of keys and the sign of zero.
func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	return bytes.Equal(canonical(t, a), canonical(t, b))
}

func canonical(t *testing.T, data []byte) []byte {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	out, err := json.Marshal(positiveZero(v))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func positiveZero(v any) any {
	switch v := v.(type) {
	case json.Number:
		if v == "-0" {
			return json.Number("0")
		}
	case []any:
		for i := range v {
			v[i] = positiveZero(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = positiveZero(v[key])
		}
	}
	return v
}

func jsonOf(v *loader.Value) []byte {
	switch v.Shape {
	case loader.Null:
		return []byte("null")
	case loader.Bool, loader.Int, loader.Float:
		return []byte(v.Text)
	case loader.String:
		s, _ := json.Marshal(v.Text)
		return s
	case loader.List:
		parts := make([]string, 0, len(v.Items))
		for _, item := range v.Items {
			parts = append(parts, string(jsonOf(item)))
		}
		return []byte("[" + strings.Join(parts, ",") + "]")
	case loader.Map:
	}
	parts := make([]string, 0, len(v.Fields))
	for _, f := range v.Fields {
		key, _ := json.Marshal(f.Key)
		parts = append(parts, string(key)+":"+string(jsonOf(f.Value)))
	}
	return []byte("{" + strings.Join(parts, ",") + "}")
}

func nested(open, shut string, n int) string {
	return strings.Repeat(open, n) + strings.Repeat(shut, n)
}

func nestedBlock(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String() + strings.Repeat(" ", n) + "b\n"
}

// bomb expands to about 10^n nodes.
func bomb(n int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 x\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	return b.String()
}

func TestParseProblems(t *testing.T) {
	for name, tc := range map[string]struct {
		in   string
		want []string
	}{
		"199 flow":             {nested("[", "]", 199), nil},
		"200 flow":             {nested("[", "]", 200), nil},
		"201 flow":             {nested("[", "]", 201), []string{"error limit-depth 1:201: the document nests deeper than 200 levels"}},
		"199 block":            {nestedBlock(199), nil},
		"201 block":            {nestedBlock(201), []string{"error limit-depth 201:201: the document nests deeper than 200 levels"}},
		"alias bomb":           {bomb(9), []string{"error limit-alias 6:22: the aliases of the document expand to more than 100000 nodes"}},
		"aliases in use":       {bomb(3), nil},
		"alias cycle":          {"x: 1\na: &a {b: *a}\n", []string{`error alias-cycle 2:11: the anchor "a" contains an alias to itself`}},
		"cycle by merge":       {"a: &a {<<: *a}\n", []string{`error alias-cycle 1:12: the anchor "a" contains an alias to itself`}},
		"unknown anchor":       {"a: *x\n", []string{"error yaml-syntax 1:4: an alias names an anchor that the document does not have"}},
		"unknown anchor below": {"a: 1\n# *x\nb: y*x\nc: [1, *x]\n", []string{"error yaml-syntax 4:8: an alias names an anchor that the document does not have"}},
		"duplicate":            {"a: 1\nb: 2\na: 3\n", []string{`error duplicate-key 3:1: the key "a" is given twice, first in line 1`}},
		"duplicate below":      {"a:\n- b: {c: 1, d: 2, c: 3}\n", []string{`error duplicate-key 2:19: the key "c" is given twice, first in line 2`}},
		"duplicate JSON":       {"{\"a\": 1,\n \"a\": 2}", []string{`error duplicate-key 2:2: the key "a" is given twice, first in line 1`}},
		"duplicate text":       {"1: a\n\"1\": b\n", []string{`error duplicate-key 2:1: the key "1" is given twice, first in line 1`}},
		"duplicate merge":      {"x: &x {a: 1}\ny:\n  <<: *x\n  <<: *x\n", []string{`error duplicate-key 4:3: the key "<<" is given twice, first in line 3`}},
		"duplicate among many": {
			"a: 1\nb: 1\nc: 1\nd: 1\ne: 1\nf: 1\ng: 1\nh: 1\ni: 1\nj: 1\nk: 1\nl: 1\nm: 1\nn: 1\no: 1\nd: 2\n",
			[]string{`error duplicate-key 16:1: the key "d" is given twice, first in line 4`},
		},
		"key is a map":      {"a: 1\n? {b: c}\n: d\n", []string{"error yaml-value 2:3: a key is a map or a list, not a string"}},
		"key is null":       {"a:\n  ~: b\n", []string{"error yaml-value 2:3: a key is null"}},
		"binary":            {"a: !!binary aGk=\n", []string{"error yaml-value 1:4: binary values are not supported"}},
		"not a number":      {"a: .nan\n", []string{`error yaml-value 1:4: ".nan" is a number that JSON cannot hold`}},
		"wrong tag":         {"a: !!int x\n", []string{`error yaml-value 1:4: the value cannot be read as !!int`}},
		"merge of a scalar": {"a:\n  <<: b\n", []string{"error yaml-value 2:7: a merge key needs a map or a list of maps"}},
		"second document": {
			"a: 1\n---\nb: [\n---\nc: 1\nc: 2\n",
			[]string{"error yaml-syntax 3: did not find expected node content", `error duplicate-key 6:1: the key "c" is given twice, first in line 5`},
		},
		"BOM and version":    {"\ufeff%YAML 1.2\n---\na: 1\na: 2\n", []string{`error duplicate-key 4:1: the key "a" is given twice, first in line 3`}},
		"UTF-16 LE, mark":    {"\xff\xfea\x00:\x00 \x001\x00", []string{"error wide-encoding 1:1: the file is UTF-16, not UTF-8"}},
		"UTF-16 BE, mark":    {"\xfe\xff\x00a\x00:\x00 \x001", []string{"error wide-encoding 1:1: the file is UTF-16, not UTF-8"}},
		"UTF-16 LE":          {"a\x00:\x00 \x001\x00", []string{"error wide-encoding 1:1: the file is UTF-16, not UTF-8"}},
		"UTF-16 BE":          {"\x00a\x00:\x00 \x001", []string{"error wide-encoding 1:1: the file is UTF-16, not UTF-8"}},
		"UTF-32 LE, mark":    {"\xff\xfe\x00\x00a\x00\x00\x00", []string{"error wide-encoding 1:1: the file is UTF-32, not UTF-8"}},
		"UTF-32 BE":          {"\x00\x00\x00a\x00\x00\x00:", []string{"error wide-encoding 1:1: the file is UTF-32, not UTF-8"}},
		"Latin-1":            {"a: 1\nb: caf\xe9 x\n", []string{"error encoding 2:7: the byte 0xe9 is not UTF-8"}},
		"cut off sequence":   {"ä: \xc3", []string{"error encoding 1:4: the byte 0xc3 is not UTF-8"}},
		"overlong":           {"a: \xc0\xaf\n", []string{"error encoding 1:4: the byte 0xc0 is not UTF-8"}},
		"surrogate":          {"a: \xed\xa0\x80\n", []string{"error encoding 1:4: the byte 0xed is not UTF-8"}},
		"NUL":                {"a: 1\nb: é\x00\n", []string{"error encoding 2:5: the file holds a NUL byte"}},
		"NUL in 2nd part":    {"a: 1\n---\nb: \x00\n", []string{"error encoding 3:4: the file holds a NUL byte"}},
		"escape character":   {"a: \x1b[0m\n", []string{"error encoding 1:4: the control character U+001B is not allowed"}},
		"DEL":                {"a: x\x7f\n", []string{"error encoding 1:5: the control character U+007F is not allowed"}},
		"C1":                 {"a: \u009b\n", []string{"error encoding 1:4: the control character U+009B is not allowed"}},
		"first line":         {"a: b: c\n", []string{"error yaml-syntax 1: mapping values are not allowed in this context"}},
		"tab indent":         {"a:\n\tb: 1\n", []string{"error yaml-syntax 2: found character that cannot start any token"}},
		"template":           {"a: 1\n{{- if .x }}\nb: 2\n{{- end }}\n", []string{"warning template 2:1: the document is an unrendered template, not a manifest"}},
		"braces in quotes":   {"a: \"{{ .x }}\" # {{ y }}\nb: \"\\s\"\n", []string{"error yaml-syntax 2: found unknown escape character"}},
		"template as a key":  {"a: {{ .x }}\n", []string{"warning template 1:5: the document is an unrendered template, not a manifest"}},
		"pointer":            {"version https://git-lfs.github.com/spec/v1\noid sha256:x\n", []string{"warning lfs-pointer 1:1: the file is a Git LFS pointer, its content is not in the repository"}},
		"two in one part":    {"{\"a\": 1}\n{\"b\": 2}\n", []string{"error yaml-syntax 2: did not find expected <document start>"}},
		"whole file, broken": {"%YAML 1.2\n---\na: [\n---\nb: 1\nb: 2\n", []string{"error yaml-syntax 3: did not find expected node content", `error duplicate-key 6:1: the key "b" is given twice, first in line 5`}},
	} {
		t.Run(name, func(t *testing.T) {
			_, ps := manifest.Parse([]byte(tc.in), manifest.Limits{})
			if diff := cmp.Diff(tc.want, problems(ps)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestOthersGoOn: a document that cannot be read never costs the others.
func TestOthersGoOn(t *testing.T) {
	for name, in := range map[string]string{
		"syntax":               "a: 1\n---\nb: [\n---\nc: 3\n",
		"syntax, whole file":   "a: 1\n---\nb: [\n--- \nc: 3\n...\n",
		"directive":            "%TAG ! tag:x,2000:\n---\na: 1\n---\nb: [\n---\nc: 3\n",
		"content on the mark":  "a: 1\n--- [\n---\nc: 3\n",
		"duplicate":            "a: 1\n---\nb: 1\nb: 2\n---\nc: 3\n",
		"duplicate, whole":     "a: 1\n---\nb: 1\nb: 2\n---\nc: 3\n...\n",
		"encoding":             "a: 1\n---\nb: \xff\n---\nc: 3\n",
		"nesting":              "a: 1\n---\nb: " + nested("[", "]", 250) + "\n---\nc: 3\n",
		"nesting, parser's":    "a: 1\n---\nb: " + nested("[", "]", 20000) + "\n---\nc: 3\n",
		"anchor of another":    "a: &x 1\n---\nb: *x\n---\nc: 3\n",
		"unterminated literal": "a: 1\n---\nb: \"x\n---\nc: 3\n",
	} {
		roots, ps := manifest.Parse([]byte(in), manifest.Limits{})
		if len(roots) != 2 || len(ps) != 1 || roots[0].Get("a") == nil || roots[1].Get("c") == nil {
			t.Errorf("%s: %d documents, problems %v", name, len(roots), problems(ps))
		}
	}
}

func TestLimitsCanBeRaised(t *testing.T) {
	in := []byte(nested("[", "]", 250))
	if _, ps := manifest.Parse(in, manifest.Limits{Depth: 250}); len(ps) != 0 {
		t.Error(problems(ps))
	}
	_, ps := manifest.Parse([]byte(bomb(2)), manifest.Limits{AliasNodes: 20})
	if len(ps) != 1 || ps[0].Code != "limit-alias" {
		t.Error(problems(ps))
	}
	for _, in := range []string{"a: 1\n---\nb: 2\n---\nc: 3\n", "a: 1\n---\nb: 2\n---\nc: 3\n...\n"} {
		roots, ps := manifest.Parse([]byte(in), manifest.Limits{Documents: 2})
		if len(roots) != 2 || len(ps) != 1 || ps[0].Code != "limit-documents" {
			t.Error(len(roots), problems(ps))
		}
	}
}

// What SOPS encrypted is encrypted anew at every edit: the text is no value.
func TestEncrypted(t *testing.T) {
	roots, _ := manifest.Parse([]byte("{a: \"ENC[AES256_GCM,data:x]\", b: \"ENC[AES256_GCM,data:y]\"}\n"), manifest.Limits{})
	a, b := roots[0].Get("a"), roots[0].Get("b")
	if !a.Opaque || !loader.Equal(a, b) {
		t.Errorf("opaque %v, texts %q and %q", a.Opaque, a.Text, b.Text)
	}
}
