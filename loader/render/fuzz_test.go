package render

import (
	"context"
	"embed"
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
)

// seeds are small trees, of which the scripts show what comes out.
//
//go:embed testdata/seeds
var seeds embed.FS

// FuzzFlux renders trees of Kustomizations, releases, sources and variables of Flux.
func FuzzFlux(f *testing.F) { fuzzDeployer(f, "flux") }

// FuzzArgoCD renders trees of Applications, ApplicationSets, projects and plugins of Argo CD.
func FuzzArgoCD(f *testing.F) { fuzzDeployer(f, "argocd") }

// FuzzManagedClusters renders trees of policies, placements and works of Open Cluster Management.
func FuzzManagedClusters(f *testing.F) { fuzzDeployer(f, "ocm") }

// oddValues are what replaces a value of a seed.
var oddValues = []string{"null", "[null]", "{a: null}", "-1", "''", "'${A'", "'{{ .x'", "'{{hub .x hub}}'", "../..", "'**'", "&a [*a]", "!!binary x"}

// fuzzDeployer puts a value at one place of a tree: nothing panics or runs for long, each problem says in which file
// it is, and neither the number of workers nor a second tree changes what comes out.
func fuzzDeployer(f *testing.F, deployer string) {
	for i, seed := range seedsOf(deployer) {
		f.Add(seed, uint16(0), "")
		for j, value := range oddValues {
			f.Add(seed, uint16(1+i*11+j*17), value)
		}
	}
	f.Fuzz(func(t *testing.T, files string, at uint16, value string) {
		rendered(t, withText(files, int(at), value))
	})
}

func seedsOf(deployer string) (out []string) {
	list, err := seeds.ReadDir("testdata/seeds")
	if err != nil {
		panic(err)
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), deployer+"_") {
			text, err := seeds.ReadFile("testdata/seeds/" + e.Name())
			if err != nil {
				panic(err)
			}
			out = append(out, string(text))
		}
	}
	return out
}

// patience is how long a small tree may take on a slow machine.
const patience = 20 * time.Second

func rendered(t *testing.T, files string) {
	t.Helper()
	if len(files) > 1<<16 || strings.Contains("\n"+files, "\n-- --") { // on which package txtar panics
		return
	}
	m := newMemory()
	given := m.tree(plausible(files))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var made []string
	for _, run := range []struct {
		workers int
		trees   []*source.Tree
	}{{1, []*source.Tree{given}}, {4, []*source.Tree{given, given}}} {
		opts := options()
		opts.Workers = run.workers
		out, err := Snapshots(ctx, run.trees, opts)
		if ctx.Err() != nil {
			t.Fatalf("it takes more than %s", patience)
		}
		if err != nil {
			return
		}
		for _, s := range out {
			made = append(made, everything(s))
			for _, p := range s.Problems {
				if p.Position.File == "" {
					t.Errorf("the problem %s has no file: %s", p.Code, p.Message)
				}
			}
		}
	}
	for i, text := range made[1:] {
		if text != made[0] {
			t.Fatalf("one tree gives\n%s\nand, as tree %d,\n%s", made[0], i+1, text)
		}
	}
}

// everything is a snapshot with all values of its objects and their places.
func everything(s *loader.Snapshot) string {
	var b strings.Builder
	b.WriteString(summary(s))
	for _, e := range s.Environments {
		for _, o := range append(e.Objects, e.Workloads...) {
			b.WriteString(every(o))
		}
	}
	for _, p := range s.Problems {
		fmt.Fprintln(&b, p.Message, p.Hint)
	}
	fmt.Fprintln(&b, s.Notes, s.LeftOut, s.Doubtful, s.Files, s.Skipped, s.Unread)
	return b.String()
}

// plausible leaves out the files that a tree cannot hold, of which package source makes problems.
func plausible(files string) string {
	out, seen := txtar.Archive{}, map[string]bool{}
	for _, f := range txtar.Parse([]byte(files)).Files {
		if path.Clean("/"+f.Name) != "/"+f.Name || strings.ContainsFunc(f.Name, func(r rune) bool { return r < ' ' || r > '~' }) || seen[f.Name] {
			continue
		}
		clash := false
		for dir := path.Dir(f.Name); dir != "."; dir = path.Dir(dir) {
			clash = clash || seen[dir]
		}
		for name := range seen {
			clash = clash || strings.HasPrefix(name, f.Name+"/")
		}
		if !clash {
			seen[f.Name] = true
			out.Files = append(out.Files, f)
		}
	}
	return string(txtar.Format(&out))
}

// scalars finds the scalars of YAML, roughly.
var scalars = regexp.MustCompile(`(?m)([:,\[] *|^ *- +)('[^'\n]*'|"[^"\n]*"|[^\s,\[\]{}'":][^\s,\[\]{}:]*)`)

// withText replaces one scalar of an archive; "" replaces none.
func withText(files string, at int, value string) string {
	all := scalars.FindAllStringSubmatchIndex(files, -1)
	if value == "" || strings.Contains(value, "\n") || len(all) == 0 {
		return files
	}
	place := all[at%len(all)]
	return files[:place[4]] + value + files[place[5]:]
}
