package action_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// forkStep is a step of the workflows for pull requests of forks.
type forkStep struct {
	Name, ID, Uses, Run, If string
	With                    map[string]string
	Env                     map[string]string
}

// forkWorkflow returns the permissions and the steps of the only job of an example.
func forkWorkflow(t *testing.T, file string) (top, job map[string]string, steps []forkStep) {
	t.Helper()
	var workflow struct {
		Permissions map[string]string
		Jobs        map[string]struct {
			Permissions map[string]string
			Steps       []forkStep
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "../examples/github/"+file)), &workflow); err != nil {
		t.Fatal(err)
	}
	for _, only := range workflow.Jobs {
		return workflow.Permissions, only.Permissions, only.Steps
	}
	t.Fatalf("%s has no jobs", file)
	return nil, nil, nil
}

// What runs next to foreign code may only read; what may write runs nothing of it. No script holds an expression.
func TestForkPermissions(t *testing.T) {
	top, job, analysing := forkWorkflow(t, "fork-analyse.yml")
	if !maps.Equal(top, map[string]string{"contents": "read"}) || job != nil {
		t.Errorf("the analysis has permissions %v %v", top, job)
	}
	top, job, posting := forkWorkflow(t, "fork-comment.yml")
	if len(top) > 0 || !maps.Equal(job, map[string]string{"actions": "read", "pull-requests": "write", "security-events": "write"}) {
		t.Errorf("posting has permissions %v %v", top, job)
	}
	for _, step := range posting {
		if step.Uses != "" && !strings.HasPrefix(step.Uses, "github/codeql-action/upload-sarif@") {
			t.Errorf("posting uses %s", step.Uses)
		}
	}
	for _, step := range slices.Concat(analysing, posting) {
		if strings.Contains(step.Run, "${{") || strings.Contains(step.Run, "checkout") {
			t.Errorf("step %s: %s", step.Name, step.Run)
		}
	}
	upload := posting[len(posting)-1]
	if upload.With["ref"] != "refs/pull/${{ steps.artefact.outputs.number }}/head" || upload.With["sha"] != "${{ github.event.workflow_run.head_sha }}" ||
		upload.With["sarif_file"] != "report/plan.sarif" || !strings.Contains(upload.If, "steps.artefact.outputs.sarif == 'true'") {
		t.Errorf("the upload is %+v", upload)
	}
}

// named returns the script of a step as a file.
func named(t *testing.T, file, name string) string {
	t.Helper()
	_, _, steps := forkWorkflow(t, file)
	for _, step := range steps {
		if step.Name == name {
			path := filepath.Join(t.TempDir(), "step.sh")
			write(t, path, step.Run)
			return path
		}
	}
	t.Fatalf("%s has no step %s", file, name)
	return ""
}

// The first workflow keeps the report, the findings where there are some, and the number.
func TestForkAnalyse(t *testing.T) {
	for _, sarif := range []string{"{}", ""} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "r"), report)
		env := map[string]string{"NUMBER": "7", "REPORT": filepath.Join(dir, "r"), "SARIF": ""}
		if sarif != "" {
			write(t, filepath.Join(dir, "s"), sarif)
			env["SARIF"] = filepath.Join(dir, "s")
		}
		out := step{script: named(t, "fork-analyse.yml", "Keep the report"), dir: dir, env: env}.run(t)
		kept := filepath.Join(dir, "gwplan-report")
		if out.code != 0 || read(t, filepath.Join(kept, "report.md")) != report || read(t, filepath.Join(kept, "number")) != "7\n" || read(t, filepath.Join(kept, "plan.sarif")) != sarif {
			t.Errorf("exit %d\n%s", out.code, out.log)
		}
	}
}

// forkGH answers for the second workflow from files: artefact is what was kept, comments.json what is there.
const forkGH = `#!/bin/sh
case "$*" in
  "run download 5 --name gwplan-report --dir report") [ -d "$HERE/artefact" ] && cp -r "$HERE/artefact" report ;;
  *"/pulls/7 --jq .head.sha") echo abc ;;
  "api --paginate repos/o/r/issues/7/comments") cat "$HERE/comments.json" ;;
  *) echo "$*" >>"$HERE/calls" ;;
esac
`

// The second one takes nothing that is not what the first one makes.
func TestForkComment(t *testing.T) {
	const (
		sarif = `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"gwplan"}},"automationDetails":{"id":"gwplan/x"},"results":[]}]}`
		calm  = marker + "\n### gwplan: no effective change\n"
		none  = marker + "\n### gwplan: no result\n"
		mine  = `[{"id":1,"body":"` + marker + `\n","user":{"login":"mallory"}}][{"id":2,"body":"` + marker + `\n","user":{"login":"github-actions[bot]"}}]`
		post  = "api --method POST repos/o/r/issues/7/comments --field body=@report/report.md --silent\n"
		patch = "api --method PATCH repos/o/r/issues/comments/2 --field body=@report/report.md --silent\n"
	)
	same := `[{"id":2,"body":` + strconv.Quote(strings.ReplaceAll(report, "\n", "\r\n")) + `,"user":{"login":"github-actions[bot]"}}]`
	for name, tt := range map[string]struct {
		number, report, sarif, comments string
		analysed                        string
		code                            int
		upload, calls                   string
	}{
		"first comment":         {number: "7\n", report: report, sarif: sarif, comments: "[]", upload: "true", calls: post},
		"update":                {number: "7\n", report: report, sarif: sarif, comments: mine, upload: "true", calls: patch},
		"no findings":           {number: "7\n", report: report, comments: mine, calls: patch},
		"no result, at first":   {number: "7\n", report: none, comments: "[]", calls: post},
		"no result, later":      {number: "7\n", report: none, comments: mine},
		"no change, at first":   {number: "7\n", report: calm, comments: "[]"},
		"no change, later":      {number: "7\n", report: calm, comments: mine, calls: patch},
		"the same text":         {number: "7\n", report: report, comments: same},
		"no artefact":           {},
		"moved on":              {number: "7\n", report: report, sarif: sarif, analysed: "older"},
		"a number that is none": {number: "7/../8\n", report: report, sarif: sarif, code: 1},
		"two numbers":           {number: "7\n8\n", report: report, sarif: sarif, code: 1},
		"no marker":             {number: "7\n", report: "hello\n", sarif: sarif, code: 1},
		"too long":              {number: "7\n", report: report + strings.Repeat("x", 65000), sarif: sarif, code: 1},
		"another tool":          {number: "7\n", report: report, sarif: strings.Replace(sarif, `"gwplan"`, `"CodeQL"`, 1), code: 1},
		"another category":      {number: "7\n", report: report, sarif: strings.Replace(sarif, "gwplan/x", "/language:go", 1), code: 1},
		"two runs":              {number: "7\n", report: report, sarif: strings.Replace(sarif, `}]}`, `},{}]}`, 1), code: 1},
		"two documents":         {number: "7\n", report: report, sarif: sarif + sarif, code: 1},
		"no SARIF":              {number: "7\n", report: report, sarif: "<x>", code: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range map[string]string{"number": tt.number, "report.md": tt.report, "plan.sarif": tt.sarif} {
				if text != "" {
					write(t, filepath.Join(dir, "artefact", file), text)
				}
			}
			write(t, filepath.Join(dir, "comments.json"), tt.comments)
			if err := os.WriteFile(filepath.Join(dir, "gh"), []byte(forkGH), 0o755); err != nil {
				t.Fatal(err)
			}
			if tt.analysed == "" {
				tt.analysed = "abc"
			}
			env := map[string]string{"HERE": dir, "GH_REPO": "o/r", "RUN": "5", "ANALYSED": tt.analysed, "PATH": dir + string(os.PathListSeparator) + os.Getenv("PATH")}
			out := step{script: named(t, "fork-comment.yml", "Check the artefact"), dir: dir, env: env, plain: true}.run(t)
			if out.code != tt.code || out.outputs["sarif"] != tt.upload {
				t.Errorf("exit %d, want %d; outputs %q\n%s", out.code, tt.code, out.outputs, out.log)
			}
			if number := out.outputs["number"]; number != "" && out.code == 0 {
				env["NUMBER"] = number
				if out := (step{script: named(t, "fork-comment.yml", "Comment"), dir: dir, env: env}).run(t); out.code != 0 {
					t.Errorf("exit %d\n%s", out.code, out.log)
				}
			}
			if got := read(t, filepath.Join(dir, "calls")); got != tt.calls {
				t.Errorf("calls %q, want %q", got, tt.calls)
			}
		})
	}
}
