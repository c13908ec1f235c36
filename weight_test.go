package gwplan_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxPackages is how many packages of other modules the binary may hold. 49 of them evaluate the
// expressions of CRDs.
const maxPackages = 210

// The binary has no client of a cluster, and not many packages.
func TestWeight(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "./cmd/gwplan").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool {
		first, _, _ := strings.Cut(name, "/")
		return !strings.Contains(first, ".") || within(name, modulePath)
	})
	if len(packages) > maxPackages {
		t.Errorf("the binary holds %d packages of other modules, more than %d: what brought them in?", len(packages), maxPackages)
	}
	for _, name := range packages {
		for _, heavy := range []string{"k8s.io/client-go", "k8s.io/api", "k8s.io/apimachinery"} {
			if within(name, heavy) {
				t.Errorf("the binary holds %s", name)
			}
		}
	}
}

// CONTRIBUTING.md says of each direct dependency why it is there.
func TestDependencies(t *testing.T) {
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	direct := regexp.MustCompile(`(?m)^\t([a-z0-9./A-Z-]+) v\S+$`)
	named := regexp.MustCompile("(?m)^\\| `([a-z0-9./A-Z-]+\\.[a-z]+/[^`]+)` \\| [^|]{10,} \\|$")
	read := func(e *regexp.Regexp, data []byte) (out []string) {
		for _, m := range e.FindAllSubmatch(data, -1) {
			out = append(out, string(m[1]))
		}
		slices.Sort(out)
		return out
	}
	if has, want := read(named, text), read(direct, module); !slices.Equal(has, want) {
		t.Errorf("CONTRIBUTING.md names %q, go.mod %q", has, want)
	}
}
