package conformance

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	confv1 "sigs.k8s.io/gateway-api/conformance/apis/v1"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write report.yaml")

// golden is the report that is committed.
const golden = "report.yaml"

// TestConformance runs the suite in a process of its own, as a test that fails in it would fail the whole. It fails with
// each test of the suite that fails and is not known to, or that is known to and passes, and if the report is not the
// one that is committed.
func TestConformance(t *testing.T) {
	if os.Getenv(reportVariable) != "" || *only != "" {
		t.Skip("TestSuite runs alone")
	}
	output, report := runSuite(t)
	for _, profile := range report.ProfileReports {
		fmt.Println(line(profile))
	}
	results := resultsIn(output)
	fmt.Printf("all tests: %d passed, %d failed, %d skipped\n", len(results["PASS"]), len(results["FAIL"]), len(results["SKIP"]))
	for _, name := range results["FAIL"] {
		if knownFailures[name] == "" {
			t.Errorf("%s fails:\n%s", name, logOf(output, name))
		}
	}
	for _, name := range names(knownFailures) {
		fmt.Printf("%s fails: %s\n", name, knownFailures[name])
		if !slices.Contains(results["FAIL"], name) {
			t.Errorf("%s passes and is listed as a known failure", name)
		}
	}
	for _, name := range results["SKIP"] {
		if skipped[name] == "" {
			t.Errorf("%s is skipped without a reason", name)
		}
	}
	if claim := fmt.Sprintf("%d of %d tests", len(results["PASS"]), len(results["PASS"])+len(results["FAIL"])); !strings.Contains(readme(t), claim) {
		t.Errorf("README does not say that %s pass", claim)
	}
	got := text(t, report)
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the report differs from %s; -update rewrites it:\n%s", golden, diff)
	}
}

// readme is the text of README, which says how many tests pass.
func readme(t *testing.T) string {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// runSuite runs TestSuite, and returns what it printed and its report.
func runSuite(t *testing.T) ([]byte, *confv1.ConformanceReport) {
	path := filepath.Join(t.TempDir(), "report.yaml")
	cmd := exec.Command(os.Args[0], "-test.run", "^TestSuite$", "-test.v")
	cmd.Env = append(os.Environ(), reportVariable+"="+path, programVariable+"="+program)
	output, err := cmd.CombinedOutput()
	written, missing := os.ReadFile(path)
	if missing != nil {
		t.Fatalf("the suite wrote no report (%v):\n%s", err, tail(output))
	}
	var report confv1.ConformanceReport
	if err := yaml.Unmarshal(written, &report); err != nil {
		t.Fatal(err)
	}
	return output, &report
}

var result = regexp.MustCompile(`(?m)^ {8}--- (PASS|FAIL|SKIP): TestSuite/suite/([^/ ]+) `)

// resultsIn returns the tests of the suite by what became of them. The report leaves out those whose features are those
// of no profile.
func resultsIn(output []byte) map[string][]string {
	out := map[string][]string{}
	for _, match := range result.FindAllSubmatch(output, -1) {
		out[string(match[1])] = append(out[string(match[1])], string(match[2]))
	}
	return out
}

func tail(output []byte) []byte {
	const most = 20_000
	return output[max(0, len(output)-most):]
}

// logOf is what a test of the suite printed, as far as it may say why it failed.
func logOf(output []byte, name string) string {
	const most = 60
	var out []string
	inside := false
	for line := range strings.Lines(string(output)) {
		if action, _, found := strings.Cut(line, "TestSuite/suite/"); found && strings.HasPrefix(action, "===") {
			inside = strings.Contains(line, "/"+name+"/") || strings.HasSuffix(line, "/"+name+"\n")
			continue
		}
		if inside {
			out = append(out, line)
		}
	}
	return strings.Join(out[max(0, len(out)-most):], "")
}
