package schema

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"go/build"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"google.golang.org/protobuf/proto"
	"sigs.k8s.io/gateway-api/pkg/consts"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

var update = flag.Bool("update", false, "write gateway-api.json anew from the module")

// TestCompactFileIsThatOfTheModule holds the embedded schemas against the CRDs
// of the gateway-api version that go.mod names.
func TestCompactFileIsThatOfTheModule(t *testing.T) {
	dir := moduleDir(t)
	want := compactOf(t, dir)
	wantChecked := checkedOf(t, want)
	if *update {
		if err := errors.Join(os.WriteFile("gateway-api.json", want, 0o644), os.WriteFile("gateway-api.checked", wantChecked, 0o644)); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(want, compactJSON) {
		t.Error("gateway-api.json is not that of the module; run go test ./loader/schema -update")
	}
	if !bytes.Equal(wantChecked, checkedExpressions) {
		t.Error("gateway-api.checked is not that of gateway-api.json and cel-go; run go test ./loader/schema -update")
	}
	if len(want) > 200_000 {
		t.Errorf("gateway-api.json has %d bytes, over 200 kB", len(want))
	}
}

// checkedOf compiles the expressions of a compact file. One that does not compile is empty.
func checkedOf(t *testing.T, compact []byte) []byte {
	t.Helper()
	env, err := environment()
	if err != nil {
		t.Fatal(err)
	}
	var file compactFile
	if err := json.Unmarshal(compact, &file); err != nil {
		t.Fatal(err)
	}
	var out []byte
	for _, expression := range expressions(file) {
		ast, issues := env.Compile(expression)
		if issues.Err() != nil {
			t.Errorf("%s: %v", expression, issues.Err())
			continue
		}
		expr, err := cel.AstToCheckedExpr(ast)
		if err != nil {
			t.Fatal(err)
		}
		expr.SourceInfo = nil // the positions are for errors of the compiler
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(expr)
		if err != nil {
			t.Fatal(err)
		}
		out = append(binary.AppendUvarint(out, uint64(len(data))), data...)
	}
	return out
}

func moduleDir(t *testing.T) string {
	t.Helper()
	p, err := build.Import("sigs.k8s.io/gateway-api/pkg/consts", ".", build.FindOnly)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(filepath.Dir(p.Dir))
}

func compactOf(t *testing.T, dir string) []byte {
	t.Helper()
	c := compactor{index: map[string]int{}}
	kinds := map[string]*node{}
	// The experimental channel comes last and wins.
	for _, channel := range []string{"standard", "experimental"} {
		for k, n := range channelKinds(t, filepath.Join(dir, "config", "crd", channel)) {
			kinds[k] = n
		}
	}
	c.file.Module = consts.BundleVersion
	c.file.Kinds = map[string]int{}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		c.file.Kinds[k] = c.add(t, kinds[k])
	}
	return c.write(t)
}

func channelKinds(t *testing.T, dir string) map[string]*node {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no CRDs in %s: %v", dir, err)
	}
	out := map[string]*node{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		roots, problems := manifest.Parse(data, manifest.Limits{})
		if len(problems) > 0 {
			t.Fatalf("%s: %v", file, problems)
		}
		for _, root := range roots {
			for k, schema := range versions(root) {
				out[k.group+"/"+k.version+"/"+k.kind] = withoutStatus(compile(schema))
			}
		}
	}
	return out
}

var schemas = flag.String("schemas", "", "write controllers.json.gz anew from the CRDs in the files of this folder")

// TestControllersAreWritten writes controllers.json.gz from CRDs if -schemas names a folder of them.
func TestControllersAreWritten(t *testing.T) {
	if *schemas == "" {
		return
	}
	files, err := filepath.Glob(filepath.Join(*schemas, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal("no CRDs in ", *schemas, err)
	}
	kinds := map[string]*node{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.DeleteFunc(strings.Split(string(data), "\n"), func(line string) bool { return strings.HasPrefix(line, "{{") })
		roots, problems := manifest.Parse([]byte(strings.Join(lines, "\n")), manifest.Limits{})
		if len(problems) > 0 {
			t.Fatalf("%s: %v", file, problems)
		}
		for _, root := range roots {
			for k, schema := range versions(root) {
				if vocabularyFor(k.group, k.kind) != nil {
					kinds[k.group+"/"+k.version+"/"+k.kind] = withoutStatus(compile(schema))
				}
			}
		}
	}
	c := compactor{index: map[string]int{}}
	c.file.Kinds = map[string]int{}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		c.file.Kinds[k] = c.add(t, kinds[k])
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(c.write(t)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), os.WriteFile("controllers.json.gz", out.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// TestControllers reads the schemas of controllers. Each expression of them is one that can be evaluated here.
func TestControllers(t *testing.T) {
	if n := len(controllers()); n < 50 {
		t.Errorf("%d kinds", n)
	}
	if len(controllersJSON) > 100_000 {
		t.Errorf("controllers.json.gz has %d bytes, over 100 kB", len(controllersJSON))
	}
	seen := map[*node]bool{}
	var visit func(*node)
	visit = func(n *node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		if n.checks != nil {
			for _, r := range n.checks.Rules {
				if compileExpression(r.Expression) == nil {
					t.Errorf("does not compile: %s", r.Expression)
				}
			}
		}
		for _, f := range n.fields {
			visit(f.node)
		}
		visit(n.items)
		visit(n.extra)
	}
	for _, n := range controllers() {
		visit(n)
	}
}

// withoutStatus keeps the file small.
func withoutStatus(n *node) *node {
	n.fields = slices.DeleteFunc(n.fields, func(f field) bool {
		return slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, f.name)
	})
	return n
}

// compactor numbers nodes, equal ones once.
type compactor struct {
	file  compactFile
	index map[string]int
}

func (c *compactor) add(t *testing.T, n *node) int {
	t.Helper()
	out := compactNode{Text: n.text, Nullable: n.nullable, Open: n.open, Checks: n.checks}
	if n.value != nil {
		out.Default = toJSON(t, n.value)
	}
	for _, f := range n.fields {
		if out.Fields == nil {
			out.Fields = map[string]int{}
		}
		out.Fields[f.name] = c.add(t, f.node)
	}
	if n.items != nil {
		i := c.add(t, n.items)
		out.Items = &i
	}
	if n.extra != nil {
		i := c.add(t, n.extra)
		out.Extra = &i
	}
	data, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	if i, ok := c.index[string(data)]; ok {
		return i
	}
	c.index[string(data)] = len(c.file.Nodes)
	c.file.Nodes = append(c.file.Nodes, out)
	return len(c.file.Nodes) - 1
}

// write puts each node on a line of its own, so that a new version of the module
// can be reviewed.
func (c *compactor) write(t *testing.T) []byte {
	t.Helper()
	var b strings.Builder
	encode := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	b.WriteString("{\"module\":" + encode(c.file.Module) + ",\n\"kinds\":" + encode(c.file.Kinds) + ",\n\"nodes\":[\n")
	for i, n := range c.file.Nodes {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString(encode(n))
	}
	b.WriteString("\n]}\n")
	return []byte(b.String())
}

func toJSON(t *testing.T, v *loader.Value) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(plain(v))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func plain(v *loader.Value) any {
	switch v.Shape {
	case loader.String:
		return v.Text
	case loader.Bool:
		return v.Text == "true"
	case loader.Int, loader.Float:
		return json.Number(v.Text)
	case loader.List:
		out := []any{}
		for _, item := range v.Items {
			out = append(out, plain(item))
		}
		return out
	case loader.Map:
		out := map[string]any{}
		for _, f := range v.Fields {
			out[f.Key] = plain(f.Value)
		}
		return out
	case loader.Null:
	}
	return nil
}
