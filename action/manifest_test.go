package action_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// manifests are all files with steps.
func manifests(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	return append(files, "../action.yml")
}

// scripts returns every `run` below a value, with where it stands.
func scripts(path string, value any) map[string]string {
	found := map[string]string{}
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			if text, ok := child.(string); ok && key == "run" {
				found[path] = text
			}
			for where, script := range scripts(path+"."+key, child) {
				found[where] = script
			}
		}
	case []any:
		for i, child := range value {
			for where, script := range scripts(fmt.Sprintf("%s[%d]", path, i), child) {
				found[where] = script
			}
		}
	}
	return found
}

func parse(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := yaml.UnmarshalStrict([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// An expression in a script is replaced before the shell reads it, so that a
// branch name becomes code.
func injections(t *testing.T, text string) []string {
	var found []string
	for where, script := range scripts("", parse(t, text)) {
		if strings.Contains(script, "${{") {
			found = append(found, where)
		}
	}
	return found
}

func TestNoInjection(t *testing.T) {
	for _, file := range manifests(t) {
		if found := injections(t, read(t, file)); len(found) > 0 {
			t.Errorf("%s: expressions in scripts at %q", file, found)
		}
	}
	for _, bad := range []string{
		"runs: {steps: [{run: 'echo ${{ inputs.base }}'}]}",
		"jobs: {a: {steps: [{name: x}, {run: \"a\\nb ${{ github.event.issue.title }}\"}]}}",
	} {
		if found := injections(t, bad); len(found) != 1 {
			t.Errorf("%s: found %q, want one", bad, found)
		}
	}
}

// Tags move; 76 of 77 tags of one action were moved to hostile commits in a day
// (CVE-2026-33634).
func unpinned(text string) []string {
	// ClusterFuzzLite has had one release, v1.
	pinned := regexp.MustCompile(`^\S+@[0-9a-f]{40} # v(\d+\.\d+\.\d+|1)$`)
	var found []string
	for _, uses := range regexp.MustCompile(`(?m)\buses:\s*(.*)$`).FindAllStringSubmatch(text, -1) {
		if !pinned.MatchString(uses[1]) && !strings.HasPrefix(uses[1], "./") {
			found = append(found, uses[1])
		}
	}
	return found
}

func TestPinned(t *testing.T) {
	for _, file := range manifests(t) {
		if found := unpinned(read(t, file)); len(found) > 0 {
			t.Errorf("%s: not pinned: %q", file, found)
		}
	}
	for _, bad := range []string{"- uses: actions/checkout@v6", "  uses: a/b@4a3601121dd01d1626a1e23e37211e3254c1c06c"} {
		if len(unpinned(bad)) != 1 {
			t.Errorf("%s counts as pinned", bad)
		}
	}
}

// writing lists the permissions to write that jobs have: to publish a release, a score, and findings.
var writing = map[string][]string{
	"../.github/workflows/release.yml release":     {"attestations", "contents", "id-token", "packages"},
	"../.github/workflows/scorecard.yml scorecard": {"id-token", "security-events"},
	"../.github/workflows/security.yml codeql":     {"security-events"},
}

// Every workflow says which permissions it needs, and which of its jobs write.
func TestWorkflowPermissions(t *testing.T) {
	for _, file := range manifests(t) {
		if file == "../action.yml" {
			continue
		}
		workflow, _ := parse(t, read(t, file)).(map[string]any)
		permissions, said := workflow["permissions"].(map[string]any)
		if !said {
			t.Errorf("%s: no permissions", file)
		}
		if scopes := writes(permissions); len(scopes) > 0 {
			t.Errorf("%s: every job may write %q", file, scopes)
		}
		jobs, _ := workflow["jobs"].(map[string]any)
		for name, job := range jobs {
			job, _ := job.(map[string]any)
			permissions, said := job["permissions"].(map[string]any)
			if !said && job["permissions"] != nil {
				t.Errorf("%s: job %s has permissions %v", file, name, job["permissions"])
			}
			if scopes, may := writes(permissions), writing[file+" "+name]; !slices.Equal(scopes, may) {
				t.Errorf("%s: job %s may write %q, want %q", file, name, scopes, may)
			}
		}
	}
	if got := writes(map[string]any{"contents": "read", "packages": "write", "id-token": "anything"}); !slices.Equal(got, []string{"id-token", "packages"}) {
		t.Errorf("writing permissions: %q", got)
	}
}

// writes are the scopes of permissions that do more than read, sorted.
func writes(permissions map[string]any) []string {
	var out []string
	for scope, level := range permissions {
		if level != "read" && level != "none" {
			out = append(out, scope)
		}
	}
	slices.Sort(out)
	return out
}

// manifest is what the tests below read of action.yml.
type manifest struct {
	Inputs  map[string]struct{ Description string }
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Steps []struct {
			ID, Uses, Run, If string
			Env               map[string]string
		}
	}
}

func load(t *testing.T) manifest {
	t.Helper()
	var m manifest
	if err := yaml.Unmarshal([]byte(read(t, "../action.yml")), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// Every input is used, described and, where a script reads it, tested here.
func TestInputs(t *testing.T) {
	text := read(t, "../action.yml")
	for name, input := range load(t).Inputs {
		if input.Description == "" || !regexp.MustCompile(`\binputs\.`+name+`\b`).MatchString(text) {
			t.Errorf("input %s has no description or no use", name)
		}
	}
}

// Every output of the Action is one that a step sets.
func TestOutputs(t *testing.T) {
	set := map[string]bool{}
	for _, script := range []string{"analyse", "comment", "install", "caches"} {
		for _, match := range regexp.MustCompile(`(?m)^\s*output (\S+) `).FindAllStringSubmatch(read(t, script+".sh"), -1) {
			set["${{ steps."+script+".outputs."+match[1]+" }}"] = true
		}
	}
	for name, output := range load(t).Outputs {
		if !set[output.Value] {
			t.Errorf("output %s = %s, which no step sets", name, output.Value)
		}
	}
}

// Only the steps that comment and that fetch the release see the token: none that reads files of the repository.
func TestTokenReachesTwoSteps(t *testing.T) {
	for _, step := range load(t).Runs.Steps {
		for name, value := range step.Env {
			if strings.Contains(value, "token") && step.ID != "comment" && step.ID != "install" {
				t.Errorf("step %s has %s = %s", step.ID, name, value)
			}
		}
	}
}

// Each script that action.yml runs exists, can be run, and gets what it reads.
func TestScripts(t *testing.T) {
	for _, step := range load(t).Runs.Steps {
		name, found := strings.CutPrefix(strings.Trim(step.Run, `"`), "$GITHUB_ACTION_PATH/action/")
		if !found {
			continue
		}
		info, err := os.Stat(name)
		if err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("%s: not a program: %v", name, err)
			continue
		}
		text := read(t, name)
		for _, sourced := range regexp.MustCompile(`(?m)^\. "\$here/(\S+)"$`).FindAllStringSubmatch(text, -1) {
			text += read(t, sourced[1])
		}
		for _, variable := range regexp.MustCompile(`\b(?:EVENT|PR|GH|GWPLAN)_[A-Z_]+\b`).FindAllString(text, -1) {
			if _, given := step.Env[variable]; !given && variable != "GH_HOST" && variable != "GH_ENTERPRISE_TOKEN" {
				t.Errorf("%s reads %s, which action.yml does not set", name, variable)
			}
		}
	}
}
