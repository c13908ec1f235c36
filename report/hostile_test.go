package report_test

import (
	"encoding/json"
	"hash/fnv"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

// payloads are what a stranger may put into any string of a manifest.
var payloads = []string{
	"](https://evil.example/) [x](https://evil.example/)",
	"![x](https://evil.example/x.png)",
	"<img src=x onerror=y><b>evil</b>",
	"<!-- gwplan:default -->",
	"@everyone a@evil.example #1 GH-1",
	"0123456789abcdef0123456789abcdef01234567 evil/evil@0123456789ab",
	"https://evil.example www.evil.example WWW.evil.example",
	"`evil` ``evil",
	"`",
	"```\n</details>\n\n# evil\n\n```",
	"\n\n# evil\n\n- evil\n\n> evil\n\n---\n",
	`evil \| <b>x</b> | y \\| <b>x</b> \\\| <b>`,
	`\`,
	"a|b||",
	"*evil* _evil_ ~~evil~~ **evil** $x$ &lt;b&gt;",
	"\r\n::set-output name=x::evil",
	"::error::evil",
	"%0A::add-mask::evil",
	"\x1b]0;evil\x07\x1b[31m",
	"\u009b31m\u0085\u007f\u2028\u2029",
	"\u202eevil\u202c \u2066evil\u2069",
	"../../etc/passwd",
	"/etc/passwd",
	"\t  evil  ",
	"",
}

// hostile picks a payload for a string; distinct strings stay distinct.
func hostile(s string) string {
	h := fnv.New32()
	h.Write([]byte(s))
	p := payloads[int(h.Sum32())%len(payloads)]
	if h.Sum32()%2 == 0 {
		return s + p
	}
	return p + s
}

// ours are strings that are not input but words of the plan itself.
var ours = map[string]bool{
	"schemaVersion": true, "severity": true, "status": true, "action": true, "side": true,
	"state": true, "silencedBy": true, "accepted": true, "enforcement": true, "commit": true,
}

// hostilePlan rewrites every string of a plan that may come from input.
func hostilePlan(of *plan.Plan, rewrite func(string) string) *plan.Plan {
	data, err := json.Marshal(of)
	if err != nil {
		panic(err)
	}
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		panic(err)
	}
	data, err = json.Marshal(rewriteStrings(doc, rewrite))
	if err != nil {
		panic(err)
	}
	var out plan.Plan
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	return &out
}

func rewriteStrings(v any, rewrite func(string) string) any {
	switch v := v.(type) {
	case string:
		return rewrite(v)
	case []any:
		for i := range v {
			v[i] = rewriteStrings(v[i], rewrite)
		}
	case map[string]any:
		_, isChange := v["targets"]
		for key, value := range v {
			if ours[key] || key == "kind" && isChange {
				continue
			}
			if key == "targetsByKind" {
				v[key] = map[string]any{rewrite("HTTPRoute"): 4}
				continue
			}
			v[key] = rewriteStrings(value, rewrite)
		}
	}
	return v
}

var markdownParser = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

var (
	ourHTML  = regexp.MustCompile(`^(<!-- gwplan:default(:\d)? -->|<details><summary>[a-zA-Z0-9 ]+</summary>|</details>|</?sub>)$`)
	ourTitle = regexp.MustCompile(`^(gwplan: |gwplan, part \d of \d$|\d+\. |New findings$|Further findings$|Problems$|Environments$|Assumptions$)`)
	// references are what GitHub makes a link of after rendering, where no escape helps.
	references = regexp.MustCompile(`(?i)@[\pL\pN]|#\d|GH-\d|[0-9a-f]{7}`)
	graphs     = regexp.MustCompile(`^(graph TD|  n\d+\["[A-Za-z0-9 ._/-]*"\]|  n\d+ (-->|-\.->(\|before\||\|new\|)?|==>\|new\|) n\d+)$`)
)

// begins is how a comment begins, or the one of a part after the first.
var begins = regexp.MustCompile(`^<!-- gwplan:default(:\d)? -->\n### gwplan(: |, part \d of \d\n)`)

// checkMarkdown fails if any node of the document is not ours, and returns how
// many headings there are.
func checkMarkdown(t *testing.T, source, repository string) (headings int) {
	t.Helper()
	src := []byte(source)
	open := 0
	html := func(s string) {
		for line := range strings.Lines(strings.TrimSpace(s)) {
			line = strings.TrimSpace(line)
			if !ourHTML.MatchString(line) {
				t.Errorf("HTML from input: %q", line)
			}
			open += strings.Count(line, "<details>") - strings.Count(line, "</details>")
			if open < 0 || open > 2 {
				t.Errorf("details do not nest: %q", line)
			}
		}
	}
	err := ast.Walk(markdownParser.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			headings++
			if title := string(n.Lines().Value(src)); !ourTitle.MatchString(title) {
				t.Errorf("heading from input: %q", title)
			}
		case *ast.Link:
			if repository == "" || !strings.HasPrefix(string(n.Destination), repository+"/") || strings.Contains(string(n.Destination), "..") &&
				!strings.Contains(string(n.Destination), "/compare/") {
				t.Errorf("link from input: %q", n.Destination)
			}
		case *ast.Image, *ast.AutoLink, *ast.ThematicBreak, *ast.CodeBlock, *extast.Strikethrough, *extast.TaskCheckBox:
			t.Errorf("%s from input", n.Kind())
		case *ast.HTMLBlock:
			block := string(n.Lines().Value(src))
			if n.HasClosure() {
				block += string(n.ClosureLine.Value(src))
			}
			html(block)
		case *ast.RawHTML:
			html(string(n.Segments.Value(src)))
		case *ast.FencedCodeBlock:
			if string(n.Language(src)) != "mermaid" {
				t.Errorf("fence from input: %q", n.Language(src))
			}
			for line := range strings.Lines(string(n.Lines().Value(src))) {
				if !graphs.MatchString(strings.TrimSuffix(line, "\n")) {
					t.Errorf("graph: %q", line)
				}
			}
		case *ast.Text:
			if _, inCode := n.Parent().(*ast.CodeSpan); inCode {
				break
			}
			if inCell(n) && strings.ContainsAny(string(n.Value(src)), "`|<") {
				t.Errorf("cell is torn: %q", n.Value(src))
			}
			if found := references.Find(n.Value(src)); found != nil {
				t.Errorf("reference from input: %q in %q", found, n.Value(src))
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if open != 0 {
		t.Errorf("details stay open")
	}
	if strings.Count(source, "<!--") != 1 || !begins.MatchString(source) {
		t.Errorf("marker is forged or missing")
	}
	fences := 0
	for line := range strings.Lines(source) {
		if strings.HasPrefix(line, "```") {
			fences++
		}
		// goldmark takes this for one escaped pipe, cmark-gfm for the end of a cell.
		if strings.HasPrefix(line, "| ") && strings.Contains(line, `\\|`) {
			t.Errorf("cell is torn for cmark-gfm: %q", line)
		}
	}
	if fences%2 != 0 {
		t.Errorf("a fence stays open")
	}
	return headings
}

func inCell(n ast.Node) bool {
	for ; n != nil; n = n.Parent() {
		if n.Kind() == extast.KindTableCell {
			return true
		}
	}
	return false
}

func TestMarkdownHoldsNoNodeFromInput(t *testing.T) {
	for name, doc := range plans() {
		want := checkMarkdown(t, planAs(t, "markdown", doc, outline.Style{MaxBytes: 1 << 20}), "")
		for _, p := range payloads {
			bad := hostilePlan(doc, func(s string) string { return p + s })
			if got := checkMarkdown(t, planAs(t, "markdown", bad, outline.Style{MaxBytes: 1 << 20}), ""); got != want {
				t.Errorf("%s with %q: %d headings, want %d", name, p, got, want)
			}
			style := linked()
			style.MaxBytes = 1 << 20
			checkMarkdown(t, planAs(t, "markdown", bad, style), cupcakes)
			bad.Base.Commit, bad.Head.Commit = p, p
			checkMarkdown(t, planAs(t, "markdown", bad, style), cupcakes)
		}
	}
}

// Whatever the limit, the document is well formed and as short as asked, down
// to its shortest form.
func TestMarkdownAtEveryLimit(t *testing.T) {
	step := 53
	if testing.Short() {
		step *= 4
	}
	for _, doc := range []*plan.Plan{many(), hostilePlan(many(), hostile)} {
		shortest := len(planAs(t, "markdown", doc, outline.Style{MaxBytes: 1}))
		if shortest > 1_500 {
			t.Errorf("the shortest form has %d bytes", shortest)
		}
		full := len(planAs(t, "markdown", doc, outline.Style{MaxBytes: 1 << 20}))
		for limit := 1; limit < full+50; limit += step {
			style := linked()
			style.MaxBytes = limit
			got := planAs(t, "markdown", doc, style)
			if len(got) > max(limit, shortest+300) {
				t.Errorf("limit %d: got %d bytes", limit, len(got))
			}
			checkMarkdown(t, got, cupcakes)
			if !strings.Contains(got, "offline: manifests only") {
				t.Errorf("limit %d: the footer is gone", limit)
			}
		}
	}
}

var ownColors = regexp.MustCompile("\x1b\\[[0-9]+m")

// checkTerminal fails if a text could drive a terminal or reorder itself.
func checkTerminal(t *testing.T, out string) {
	t.Helper()
	for _, r := range out {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) && r > 0x2000 && r != 0x200e && r != 0x200f || r == 0x2028 || r == 0x2029) {
			t.Fatalf("%U in %q", r, out)
		}
	}
}

func TestTextHoldsNoControlCharacters(t *testing.T) {
	for _, doc := range plans() {
		for _, p := range payloads {
			bad := hostilePlan(doc, func(s string) string { return p + s })
			bad.Base.Commit, bad.Head.Commit = p, p
			for _, detail := range []outline.Detail{outline.Quiet, outline.Normal, outline.Verbose} {
				checkTerminal(t, planAs(t, "text", bad, outline.Style{Detail: detail}))
				checkTerminal(t, ownColors.ReplaceAllString(planAs(t, "text", bad, outline.Style{Detail: detail, Color: true}), ""))
			}
			checkTerminal(t, planAs(t, "json", bad, outline.Style{}))
			checkTerminal(t, planAs(t, "sarif", bad, outline.Style{}))
		}
	}
}

func TestListingsHoldNoControlCharacters(t *testing.T) {
	const evil = "x\x1b[31m\u202e\n::error::\u009b"
	list := effectives()
	e := &list.Environments[0].Effective[0]
	e.Target, e.PolicyKind.Kind, e.Contexts = evil, evil, [][]string{{evil}}
	e.Fields[0].Path, e.Fields[0].Value, e.Fields[0].Source.File = evil, evil, evil
	e.Spec = map[string]any{evil: evil, "a": "b\n::error::x\n"}
	list.Notes, list.Problems[0].Message = []string{evil}, evil
	pols := policies()
	p := &pols.Environments[0].Policies[0]
	p.Policy, p.Class, p.Reason, p.File, p.Affects, p.AffectsByKind = evil, evil, evil, evil, []string{evil}, map[string]int{evil: 1}
	tr := tree()
	root := &tr.Environments[0].Roots[0]
	root.Node, root.Admitted, root.Reason, root.Hostnames, root.Policies = evil, "false", evil, []string{evil}, []string{evil}
	harmless(t, report.Effective, list)
	harmless(t, report.Policies, pols)
	harmless(t, report.Tree, tr)
}

// harmless writes a document in each of its formats, and looks for what acts on a terminal or
// in a log.
func harmless[D any](t *testing.T, d report.Document[D], doc *D) {
	t.Helper()
	for _, w := range d.Writers {
		out := render(t, w.Write, doc, outline.Style{Detail: outline.Verbose})
		checkTerminal(t, out)
		for line := range strings.Lines(out) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") {
				t.Errorf("%s: a workflow command: %q", w.Format, line)
			}
		}
	}
}

// A spec is the same spec in the way of writing that is safe.
func TestYAMLHoldsNoWorkflowCommand(t *testing.T) {
	spec := map[string]any{"script": "a\n::error::x\n", "bidi": "x\u202e", "c1": "\u009b", "on": "on"}
	for name := range spec {
		list := effectives()
		list.Environments[0].Effective[0].Spec = map[string]any{name: spec[name]}
		out := render(t, in(t, report.Effective, "yaml"), list, outline.Style{})
		checkTerminal(t, out)
		for line := range strings.Lines(out) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") {
				t.Errorf("a workflow command: %q", line)
			}
		}
		var got map[string]any
		if err := yaml.Unmarshal([]byte(strings.Split(out, "---\n")[1]), &got); err != nil || got[name] != spec[name] {
			t.Errorf("%s: got %q, %v", name, got[name], err)
		}
	}
}

func TestWorkflowCommandsAreStopped(t *testing.T) {
	bad := hostilePlan(many(), func(s string) string { return "::error::" + s })
	got := planAs(t, "text", bad, outline.Style{StopCommands: "f00d"})
	inside, found := strings.CutPrefix(got, "::stop-commands::f00d\n")
	inside, ended := strings.CutSuffix(inside, "\n::f00d::\n")
	if !found || !ended || strings.Contains(inside, "f00d") {
		t.Errorf("text is not wrapped: %q", got)
	}
	// The other formats go to a file or a comment and have no line that begins
	// with input, so nothing in them is a command.
	for _, f := range []string{"markdown", "json", "sarif"} {
		for line := range strings.Lines(planAs(t, f, bad, outline.Style{StopCommands: "f00d"})) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") {
				t.Errorf("%s: a workflow command: %q", f, line)
			}
		}
	}
}

func TestLinks(t *testing.T) {
	for repository, want := range map[string]string{
		"https://github.com/o/r":                "https://github.com/o/r/blob/" + headCommit,
		"https://github.com/o/r.git/":           "https://github.com/o/r/blob/" + headCommit,
		"https://user:token@github.com/o/r?x#y": "https://github.com/o/r/blob/" + headCommit,
		"javascript:alert(1)":                   "",
		"javascript://evil.example/%0aalert(1)": "",
		"https://evil.example)/[x](":            "",
		"git@github.com:o/r":                    "",
		"":                                      "",
	} {
		got := planAs(t, "markdown", many(), outline.Style{Links: outline.Links{Repository: repository}})
		if strings.Contains(got, "token") && !strings.Contains(got, "/auth/token") {
			t.Errorf("%s: a credential is printed", repository)
		}
		if want == "" {
			checkMarkdown(t, got, "")
		}
		if want != "" && !strings.Contains(got, want) {
			t.Errorf("%s: no link to %s", repository, want)
		}
	}
}

func TestMarkerKeepsHarmlessCharacters(t *testing.T) {
	got := planAs(t, "markdown", empty(), outline.Style{CommentID: "prod --> <b>"})
	if !strings.HasPrefix(got, "<!-- gwplan:prod------b- -->\n### gwplan: no effective change\n") {
		t.Errorf("got %q", got)
	}
}

// FuzzReports puts one string into every field of the richest plan.
func FuzzReports(f *testing.F) {
	for _, p := range payloads {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, s string) {
		// The string goes into some 500 fields, so a long one says no more.
		s = s[:min(len(s), 200)]
		bad := hostilePlan(many(), func(old string) string { return s + old + s })
		checkMarkdown(t, planAs(t, "markdown", bad, outline.Style{MaxBytes: 1 << 20}), "")
		checkMarkdown(t, planAs(t, "markdown", bad, outline.Style{MaxBytes: 5_000}), "")
		checkTerminal(t, planAs(t, "text", bad, outline.Style{}))
		checkSarif(t, planAs(t, "sarif", bad, linked()))
		checkAnnotations(t, planAs(t, "github", bad, outline.Style{}))
		checkTerminal(t, planAs(t, "gitlab", bad, outline.Style{}))
	})
}
