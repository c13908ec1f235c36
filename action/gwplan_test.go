package action_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// analyser says what gwplan does when it is started, and what it was given.
type analyser struct {
	Print string `json:"print"`
	// Complain goes to standard error.
	Complain string `json:"complain"`
	// Plan and Report are written where -o asks for them; empty writes nothing.
	Plan   string `json:"plan"`
	Report string `json:"report"`
	// Parts are written instead of Report where --part asks for them.
	Parts map[string]string `json:"parts"`
	Exit  int               `json:"exit"`
	// Args are those of the analysis; Rendered are those of the last time that the
	// plan was rendered once more.
	Args     []string `json:"args"`
	Rendered []string `json:"rendered"`
}

// gwplan stands in for the real one: what the Action hands over is the subject.
func gwplan(args []string) int {
	path := os.Getenv("FAKE_ANALYSER")
	data, err := os.ReadFile(path)
	var a analyser
	if err == nil {
		err = json.Unmarshal(data, &a)
	}
	if err == nil && slices.Equal(args, []string{"version"}) {
		fmt.Println("gwplan v1.2.3")
		return 0
	}
	if err == nil {
		err = a.work(path, args)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 64
	}
	return a.Exit
}

func (a *analyser) work(path string, args []string) error {
	again := slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--from=") })
	if again {
		a.Rendered = args
	} else {
		a.Args = args
	}
	fmt.Print(a.Print)
	fmt.Fprint(os.Stderr, a.Complain)
	report := a.Report
	for _, arg := range args {
		if part, asked := strings.CutPrefix(arg, "--part="); asked {
			report = a.Parts[part]
		}
	}
	for _, arg := range args {
		format, file, found := strings.Cut(arg, "=")
		content, known := map[string]string{"json": a.Plan, "markdown": report, "sarif": "{}"}[format]
		if !found || !known || a.Plan == "" || content == "" && a.Parts == nil {
			continue
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			return err
		}
	}
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// open puts the analyser's orders where it finds them.
func (a *analyser) open(t *testing.T) string {
	t.Helper()
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "analyser.json")
	write(t, path, string(data))
	return path
}

// plan is the part of a plan that the Action reads.
func plan(changes, policyChanges, errors, warnings, notes int) string {
	n, conclusion := strconv.Itoa, "none"
	if changes+policyChanges > 0 {
		conclusion = "changed"
	}
	return `{"incomplete":false,"summary":{"changes":` + n(changes) + `,"policyChanges":` + n(policyChanges) +
		`,"targets":9,"conclusion":"` + conclusion + `","headline":"` + `::set-output name=changed::true\n","findings":{"error":` + n(errors) +
		`,"warning":` + n(warnings) + `,"note":` + n(notes) + `}}}`
}
