package exposure_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestSecretsReachNoOutput holds that nothing secret in a repository is in any output of any
// command in any format. Each secret of the trees in testdata/secrets, and of a world for each kind
// of the catalogue, has a marker of its own, another one in head than in base. Beside the secrets
// stand public values and names, which must come out: they show that the outputs come near.
func TestSecretsReachNoOutput(t *testing.T) {
	program := filepath.Join(t.TempDir(), "gwplan")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/gwplan").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for part := range 3 { // to use all cores
		t.Run(fmt.Sprint("catalogue-", part), func(t *testing.T) {
			t.Parallel()
			g := newGarden()
			base, head := kindsPlot(t, g, part, 3)
			g.harvest(t, program, base, head)
		})
	}
	for _, file := range glob(t, "testdata/secrets/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			g := newGarden()
			base, head := writtenPlot(t, g, file)
			g.harvest(t, program, base, head)
		})
	}
}

// garden knows which marker stands where.
type garden struct {
	n      int
	places map[int]string
	// groups are sets of public markers: those of one line, in base and in head. Of each set at
	// least one must come out.
	groups [][]int
	shown  map[int]bool
	// told are the places whose secrets were found in an output. The first output is enough.
	told map[string]bool
}

func newGarden() *garden {
	return &garden{places: map[int]string{}, shown: map[int]bool{}, told: map[string]bool{}}
}

func (g *garden) next(place string) int {
	g.n++
	g.places[g.n] = place
	return g.n
}

// The forms of markers. No other text of the trees and of the program contains them.
func (g *garden) text(place string) string { return fmt.Sprintf("planted-%d", g.next(place)) }

func (g *garden) number(place string) int { return 481516_0000 + g.next(place) }

var (
	secretForm = regexp.MustCompile(`(?i)planted\W{0,6}(\d*)|481516(\d{4})|4\.81516(\d*)|cGxhbnRlZC[A-Za-z0-9+/]*`)
	publicForm = regexp.MustCompile(`(?i)shown\W{0,6}(\d+)`)
	// traces are in each line with a marker, in lower case. To look for them first is much faster.
	traces = []string{"planted", "481516", "4.81516", "cgxhbnrlzc", "shown"}
)

// harvest runs all commands over two trees and searches all that they print and write. Under the
// race detector, and with -short, it compares the trees alone.
func (g *garden) harvest(t *testing.T, program string, base, head map[string]string) {
	dir := t.TempDir()
	for side, files := range map[string]map[string]string{"base": base, "head": head} {
		for file, text := range files {
			to := filepath.Join(dir, side, filepath.FromSlash(file))
			if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, side := range []string{"base", "head"} {
		writeLenient(t, filepath.Join(dir, side))
	}
	run := func(line string, codes ...int) { g.run(t, dir, program, line, codes...) }
	const plans = " -o text -o markdown=plan.md -o sarif=plan.sarif -o json="
	run("diff --base-dir base --head-dir head -v --all --parse-all"+plans+"plan.json", 0)
	run("diff --from plan.json -v --all --flavor plain"+plans+"again.json", 0)
	if !testing.Short() {
		run("diff --base-dir base --head-dir head --no-config -v --all"+plans+"strict.json", 0)
		run("diff --base-dir head --head-dir base --complete --strict --color always --flavor gitlab"+plans+"back.json", 0, 3)
		for _, side := range []string{"base", "head"} {
			at := " -C " + side + " -o text -o json=../out.json"
			run("check --parse-all --strict -v -o markdown=../out.md -o sarif=../out.sarif"+at, 0, 1, 3)
			run("effective -o yaml=../out.yaml"+at, 0)
			run("policies"+at, 0)
			run("tree"+at, 0)
			run("routes"+at, 0)
			run("trace http://calls.example.com/one --explain -o markdown=../out.md"+at, 0)
			run("trace https://shown.example.com/one --explain"+at, 0)
			run("trace http://moved.example.com/moved --explain -o markdown=../out.md"+at, 0)
			run("status --complete -o yaml=../out.yaml"+at, 0, 2) // 2 where there are several environments
			run("config show"+at, 0)
		}
		run("check -f head -f base", 0, 1, 3)
		run("kinds -C head", 0)
		if err := os.Remove(filepath.Join(dir, "head", ".gwplan.yaml")); err != nil {
			t.Fatal(err)
		}
		run("config init -C head", 0, 3)
		g.read(t, "config init", filepath.Join(dir, "head", ".gwplan.yaml"))
		for _, file := range glob(t, filepath.Join(dir, "base", "plans", "*.json")) {
			run("diff --from "+file, 2)
		}
	}
	for _, group := range g.groups {
		if !slices.ContainsFunc(group, func(n int) bool { return g.shown[n] }) {
			t.Errorf("the public value of %s is in no output", g.places[group[0]])
		}
	}
}

// writeLenient writes a configuration under which objects that the API server rejects count: secrets
// are planted as values of any type.
func writeLenient(t *testing.T, dir string) {
	t.Helper()
	file := filepath.Join(dir, ".gwplan.yaml")
	if _, err := os.Stat(file); err == nil {
		return
	}
	if err := os.WriteFile(file, []byte("rules: {rejected-by-api-server: off}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs one command, and searches what it prints and the files that it writes.
func (g *garden) run(t *testing.T, dir, program, line string, codes ...int) {
	t.Helper()
	cmd := exec.Command(program, strings.Fields(line)...)
	cmd.Dir, cmd.Env = dir, []string{"CI=true"}
	if strings.Contains(line, "always") {
		cmd.Env = append(cmd.Env, "GITHUB_ACTIONS=true")
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); cmd.ProcessState == nil || !slices.Contains(codes, cmd.ProcessState.ExitCode()) {
		t.Errorf("gwplan %s: %v\n%s", line, err, out.String())
	}
	g.search(t, line, out.String())
	for _, word := range strings.Fields(line) {
		if _, file, written := strings.Cut(word, "="); written {
			g.read(t, line, filepath.Join(dir, filepath.Base(file)))
		}
	}
}

// read searches a file that a command wrote, if it did.
func (g *garden) read(t *testing.T, line, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	g.search(t, line+", in "+filepath.Base(file), string(text))
	if filepath.Base(file) != "plan.json" {
		_ = os.Remove(file)
	}
}

func (g *garden) search(t *testing.T, command, output string) {
	t.Helper()
	for line := range strings.Lines(output) {
		if lower := strings.ToLower(line); !slices.ContainsFunc(traces, func(s string) bool { return strings.Contains(lower, s) }) {
			continue
		}
		for _, m := range secretForm.FindAllStringSubmatch(line, -1) {
			n, _ := strconv.Atoi(m[1] + m[2])
			place, known := g.places[n]
			if !known {
				place = "a place that is not known"
			}
			if !g.told[place] {
				g.told[place] = true
				t.Errorf("gwplan %s shows the secret of %s\n%s", command, place, clipped(line, m[0]))
			}
		}
		for _, m := range publicForm.FindAllStringSubmatch(line, -1) {
			n, _ := strconv.Atoi(m[1])
			g.shown[n] = true
		}
	}
}

// clipped returns what stands around a text in a line.
func clipped(line, text string) string {
	i := strings.Index(line, text)
	return line[max(0, i-150):min(len(line), i+150)]
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

var token = regexp.MustCompile(`PLANTED|NUMBER|BASE64|SHOWN`)

// writtenPlot reads a tree in which each PLANTED and NUMBER is a secret, BASE64 one as the data of
// a Secret holds it, and each SHOWN a public value.
func writtenPlot(t *testing.T, g *garden, file string) (base, head map[string]string) {
	tree, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	base, head = map[string]string{}, map[string]string{}
	for _, f := range repeated(tree.Files) {
		for i, line := range strings.SplitAfter(string(f.Data), "\n") {
			place := fmt.Sprintf("%s:%d: %s", f.Name, i+1, strings.TrimSpace(line))
			var shown []int
			for _, side := range []map[string]string{base, head} {
				side[f.Name] += token.ReplaceAllStringFunc(line, func(word string) string {
					switch word {
					case "PLANTED":
						return g.text(place)
					case "NUMBER":
						return strconv.Itoa(g.number(place))
					case "BASE64":
						return base64.StdEncoding.EncodeToString([]byte(g.text(place)))
					}
					shown = append(shown, g.next(place))
					return fmt.Sprintf("shown-%d", g.n)
				})
			}
			if len(shown) > 0 {
				g.groups = append(g.groups, shown)
			}
		}
	}
	return base, head
}

// repeated returns the files of a tree with those that have NAME in their path once for each case,
// which is a file below cases/: with its name for NAME and its text for a line CASE.
func repeated(files []txtar.File) []txtar.File {
	var out, cases []txtar.File
	for _, f := range files {
		if name, ok := strings.CutPrefix(f.Name, "cases/"); ok {
			cases = append(cases, txtar.File{Name: name, Data: f.Data})
		}
	}
	for _, f := range files {
		switch {
		case strings.HasPrefix(f.Name, "cases/"):
		case !strings.Contains(f.Name, "NAME"):
			out = append(out, f)
		default:
			for _, c := range cases {
				text := strings.ReplaceAll(string(f.Data), "CASE\n", string(c.Data))
				named := strings.NewReplacer("NAME", c.Name)
				out = append(out, txtar.File{Name: named.Replace(f.Name), Data: []byte(named.Replace(text))})
			}
		}
	}
	return out
}
