package action_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// analyse runs the step on a pull request of the repository itself.
func analyse(t *testing.T, a analyser, env map[string]string) (outcome, []string) {
	t.Helper()
	path := a.open(t)
	all := map[string]string{
		"FAKE_ANALYSER": path, "GWPLAN_BINARY": "gwplan", "GITHUB_EVENT_NAME": "pull_request",
		"EVENT_REPOSITORY": "evil-genius/cupcakes", "GWPLAN_BASE": "main", "GWPLAN_DIRECTORY": ".",
		"GWPLAN_FAIL_ON": "none", "GWPLAN_NO_NEW_ACCESS": "false", "GWPLAN_COMMENT": "auto", "GWPLAN_COMMENT_ID": "default",
		"GWPLAN_COMMENT_MODE": "update", "GWPLAN_COMMENT_PARTS": "1", "GWPLAN_SARIF": "auto", "GWPLAN_SUMMARY": "true",
		"EVENT_BASE": "", "EVENT_HEAD": "", "EVENT_DEFAULT": "", "EVENT_FORCED": "",
	}
	maps.Copy(all, env)
	out := step{script: "analyse.sh", dir: t.TempDir(), env: all}.run(t)
	var after analyser
	if err := json.Unmarshal([]byte(read(t, path)), &after); err != nil {
		t.Fatal(err)
	}
	return out, after.Args
}

func TestAnalyseOutputs(t *testing.T) {
	for name, tt := range map[string]struct {
		plan string
		want map[string]string
	}{
		"changes and findings": {
			plan(3, 1, 1, 2, 4),
			map[string]string{
				"changed": "true", "noteworthy": "true", "changes": "3", "findings": "7", "errors": "1",
				"warnings": "2", "affected-targets": "9", "incomplete": "false", "upload": "true", "exit-code": "0",
			},
		},
		"a policy alone": {plan(0, 1, 0, 0, 0), map[string]string{"changed": "true", "changes": "0", "noteworthy": "true"}},
		"a note alone":   {plan(0, 0, 0, 0, 1), map[string]string{"changed": "false", "findings": "1", "noteworthy": "true"}},
		"nothing":        {plan(0, 0, 0, 0, 0), map[string]string{"changed": "false", "noteworthy": "false"}},
		"incomplete": {
			strings.Replace(plan(0, 0, 0, 0, 0), "false", "true", 1),
			map[string]string{"changed": "false", "incomplete": "true"},
		},
		"nothing known, for want of files": {
			strings.Replace(plan(0, 0, 0, 0, 0), `"none"`, `"incomplete"`, 1),
			map[string]string{"changed": "false", "noteworthy": "true", "conclusion": "incomplete"},
		},
		"an effect that is not known": {
			strings.Replace(plan(0, 0, 0, 0, 0), `"none"`, `"unknown"`, 1),
			map[string]string{"changed": "true", "noteworthy": "true", "conclusion": "unknown"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, _ := analyse(t, analyser{Plan: tt.plan, Report: report}, nil)
			if out.code != 0 {
				t.Fatalf("exit %d:\n%s", out.code, out.log)
			}
			for output, want := range tt.want {
				if got := out.outputs[output]; got != want {
					t.Errorf("%s = %q, want %q", output, got, want)
				}
			}
			if got := read(t, out.outputs["report"]); got != report || out.summary != report {
				t.Errorf("report %q, summary %q", got, out.summary)
			}
			if read(t, out.outputs["json"]) != tt.plan || read(t, out.outputs["sarif"]) == "" {
				t.Errorf("json or sarif is not where the output says: %q", out.outputs)
			}
		})
	}
}

// What gwplan is given: each input is one argument, whatever it holds.
func TestAnalyseArguments(t *testing.T) {
	_, args := analyse(t, analyser{Plan: plan(0, 0, 0, 0, 0), Report: report}, map[string]string{
		"GWPLAN_BASE": "$(touch pwned) `x`", "GWPLAN_HEAD": "refs/heads/-x", "GWPLAN_CONFIG": "a b.yaml",
		"GWPLAN_PATHS": "infra/\n\n--strict\r\n*", "GWPLAN_ARGS": "--strict\n--context=a b", "GWPLAN_FAIL_ON": "warning", "GWPLAN_NO_NEW_ACCESS": "true",
	})
	for i, arg := range args {
		if format, _, found := strings.Cut(arg, "="); found && slices.Contains([]string{"markdown", "sarif", "json"}, format) {
			args[i] = format
		}
	}
	want := []string{
		"diff", "--color=never", "--fail-on=warning", "-C", ".", "-o", "text", "-o", "markdown", "-o", "sarif", "-o", "json",
		"--comment-id=default", "--max-bytes=60000", "--repository-url=https://github.com/evil-genius/cupcakes",
		"--no-new-access", "--config=a b.yaml", "--strict", "--context=a b", "$(touch pwned) `x`", "refs/heads/-x",
		"--", "infra/", "--strict", "*",
	}
	if !slices.Equal(args, want) {
		t.Errorf("arguments\n%q, want\n%q", args, want)
	}
}

// Hostile or mistaken inputs end the step before gwplan starts.
func TestAnalyseRefusesInputs(t *testing.T) {
	for _, tt := range [][2]string{
		{"GWPLAN_BASE", "--output=pwned"},
		{"GWPLAN_BASE", "-x"},
		{"GWPLAN_BASE", "main\n::add-mask::x"},
		{"GWPLAN_HEAD", "--config=/etc/passwd"},
		{"GWPLAN_HEAD", "a\x1b]0;"},
		{"GWPLAN_CONFIG", "-C"},
		{"GWPLAN_DIRECTORY", "--help"},
		{"GWPLAN_ARGS", "--strict\n--\nmain"},
		{"GWPLAN_FAIL_ON", "none\nx"},
		{"GWPLAN_FAIL_ON", ""},
		{"GWPLAN_NO_NEW_ACCESS", "yes"},
		{"GWPLAN_COMMENT", "sometimes"},
		{"GWPLAN_COMMENT_ID", "--> <img src=x>"},
		{"GWPLAN_COMMENT_ID", "a\nb"},
		{"GWPLAN_COMMENT_ID", strings.Repeat("a", 65)},
		{"GWPLAN_COMMENT_MODE", "retract"},
		{"GWPLAN_COMMENT_PARTS", "10"},
		{"GWPLAN_SARIF", "yes"},
		{"GWPLAN_SUMMARY", "no"},
	} {
		t.Run(tt[0]+"="+tt[1], func(t *testing.T) {
			t.Parallel()
			out, args := analyse(t, analyser{Plan: plan(0, 0, 0, 0, 0), Report: report}, map[string]string{tt[0]: tt[1]})
			if out.code != 2 || args != nil || len(out.outputs) > 0 {
				t.Errorf("exit %d, gwplan given %q, outputs %q", out.code, args, out.outputs)
			}
			if obeyed := commands(out.log); len(obeyed) != 1 || !strings.HasPrefix(obeyed[0], "::error ") {
				t.Errorf("commands %q, want one error", obeyed)
			}
		})
	}
}

// Nothing that comes from the files under analysis is a workflow command.
func TestAnalyseStopsCommands(t *testing.T) {
	const hostile = "::set-output name=changed::true\n::add-mask::e\n##[warning]x\n  ::error::y\n::stop-commands::x\n::x::\n::error::no line end"
	a := analyser{Print: hostile, Plan: plan(1, 0, 0, 0, 0), Report: report}
	first, _ := analyse(t, a, nil)
	second, _ := analyse(t, a, nil)
	if obeyed := commands(first.log); len(obeyed) > 0 {
		t.Errorf("the runner obeys %q", obeyed)
	}
	if !strings.Contains(first.log, hostile) {
		t.Errorf("the log lacks the text report:\n%s", first.log)
	}
	stop := regexp.MustCompile(`^::stop-commands::([0-9a-f]{32})\n`)
	a1, a2 := stop.FindStringSubmatch(first.log), stop.FindStringSubmatch(second.log)
	if a1 == nil || a2 == nil || a1[1] == a2[1] {
		t.Errorf("tokens %q and %q, want two that differ", a1, a2)
	}
	if !strings.HasSuffix(first.log, "\n::"+a1[1]+"::\n") {
		t.Errorf("commands are not resumed:\n%s", first.log)
	}
	if first.outputs["changed"] != "true" || first.outputs["changes"] != "1" {
		t.Errorf("outputs %q", first.outputs)
	}
}

// A run without a plan says so wherever an older result may still stand, with the reason, and leaves code scanning
// and the exit code to tell the truth.
func TestAnalyseWithoutResult(t *testing.T) {
	for name, tt := range map[string]struct {
		analyser analyser
		why      string
	}{
		"an error":            {analyser{Exit: 3, Complain: "note\ngwplan: revision \"x\" matches no commit\nhint: check the spelling\n"}, "revision \"x\" matches no commit"},
		"usage":               {analyser{Exit: 2, Complain: "gwplan: error: unknown flag --x\n"}, "error: unknown flag --x"},
		"a crash":             {analyser{Exit: 2, Complain: "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\n"}, "panic: runtime error: index out of range"},
		"a crash with a plan": {analyser{Exit: 4, Plan: plan(1, 0, 1, 0, 0), Report: report}, "gwplan ended with exit code 4"},
		"half of a plan":      {analyser{Exit: 3, Plan: `{"incomplete":fal`, Report: report}, "gwplan ended with exit code 3"},
		"killed":              {analyser{Exit: 137}, "gwplan was ended by signal 9"},
		"nothing said":        {analyser{Exit: 3}, "gwplan ended with exit code 3"},
		"hostile": {
			analyser{Exit: 3, Complain: "gwplan: `@all` <img src=x> \x1b[31mé\u202e]( http://x ::error::\n"},
			"'@all' <img src=x> ?[31m?????]( http://x ::error::",
		},
		"long": {analyser{Exit: 3, Complain: "gwplan: " + strings.Repeat("x", 400) + "\n"}, strings.Repeat("x", 300)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, _ := analyse(t, tt.analyser, map[string]string{"GWPLAN_COMMENT_ID": "prod", "EVENT_HEAD": "0123456789abcdef"})
			want := map[string]string{"exit-code": strconv.Itoa(tt.analyser.Exit), "upload": "false", "noteworthy": "true", "changed": "", "sarif": "", "json": ""}
			for output, value := range want {
				if out.outputs[output] != value {
					t.Errorf("%s = %q, want %q", output, out.outputs[output], value)
				}
			}
			const log = "https://github.com/evil-genius/cupcakes/actions/runs/42"
			text := "<!-- gwplan:prod -->\n### gwplan: no result\n\nCommit `0123456789ab` could not be analysed: `" + tt.why + "`\n\n[The log](" + log + ") says more.\n"
			if got := read(t, out.outputs["report"]); got != text || out.code != 0 || out.summary != text {
				t.Errorf("exit %d, report %q, want %q; summary %q", out.code, got, text, out.summary)
			}
			line := "> **Commit `0123456789ab` could not be analysed**: `" + tt.why + "` ([log](" + log + ")). What follows is older. <!-- gwplan:note -->\n"
			if got := read(t, out.outputs["note"]); got != line {
				t.Errorf("note %q, want %q", got, line)
			}
			if obeyed := commands(out.log); len(obeyed) > 0 {
				t.Errorf("the runner obeys %q", obeyed)
			}
		})
	}
}

// A run with a result has no note, and says which gwplan it was.
func TestAnalyseVersion(t *testing.T) {
	out, _ := analyse(t, analyser{Plan: plan(0, 0, 0, 0, 0), Report: report}, nil)
	if out.outputs["version"] != "v1.2.3" || out.outputs["note"] != "" {
		t.Errorf("version %q, note %q", out.outputs["version"], out.outputs["note"])
	}
	out, _ = analyse(t, analyser{}, map[string]string{"GWPLAN_BINARY": "/nowhere/gwplan"})
	if out.outputs["version"] != "" || out.outputs["exit-code"] != "127" {
		t.Errorf("version %q, exit code %q of a gwplan that is not there", out.outputs["version"], out.outputs["exit-code"])
	}
}

// Findings at or above fail-on, and problems under --strict, come with reports.
func TestAnalyseKeepsExitCode(t *testing.T) {
	for _, code := range []string{"1", "3"} {
		out, _ := analyse(t, analyser{Exit: int(code[0] - '0'), Plan: plan(1, 0, 1, 0, 0), Report: report}, nil)
		if out.code != 0 || out.outputs["exit-code"] != code || out.outputs["errors"] != "1" {
			t.Errorf("exit %d, outputs %q", out.code, out.outputs)
		}
	}
}

func TestAnalyseUpload(t *testing.T) {
	for name, tt := range map[string]struct {
		env     map[string]string
		want    string
		notices int
	}{
		"own branch":    {nil, "true", 0},
		"fork":          {map[string]string{"EVENT_REPOSITORY": "mallory/cupcakes"}, "false", 1},
		"deleted fork":  {map[string]string{"EVENT_REPOSITORY": ""}, "false", 1},
		"fork, told to": {map[string]string{"EVENT_REPOSITORY": "mallory/cupcakes", "GWPLAN_SARIF": "true"}, "true", 0},
		"told not to":   {map[string]string{"GWPLAN_SARIF": "false"}, "false", 0},
		"push":          {map[string]string{"GITHUB_EVENT_NAME": "push", "EVENT_REPOSITORY": ""}, "true", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, _ := analyse(t, analyser{Plan: plan(0, 0, 0, 0, 0), Report: report}, tt.env)
			if out.outputs["upload"] != tt.want || len(commands(out.log)) != tt.notices {
				t.Errorf("upload %q, want %q; log\n%s", out.outputs["upload"], tt.want, out.log)
			}
		})
	}
}

// The runner drops a summary that is too large as a whole.
func TestAnalyseSummary(t *testing.T) {
	large := strings.Repeat("x", 900*1024)
	for name, tt := range map[string]struct {
		report, summary string
		least, most     int
	}{
		"off":       {report, "false", 0, 0},
		"fits":      {large, "true", len(large), len(large)},
		"too large": {large + "x", "true", 1, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, _ := analyse(t, analyser{Plan: plan(0, 0, 0, 0, 0), Report: tt.report}, map[string]string{"GWPLAN_SUMMARY": tt.summary})
			if n := len(out.summary); n < tt.least || n > tt.most {
				t.Errorf("summary of %d bytes, want %d to %d", n, tt.least, tt.most)
			}
		})
	}
}

func TestVerdict(t *testing.T) {
	for _, tt := range []struct {
		code, upload string
		want         int
		level        []string
	}{
		{"0", "success", 0, nil},
		{"0", "failure", 0, []string{"::notice "}},
		{"1", "skipped", 1, []string{"::error "}},
		{"2", "skipped", 2, []string{"::error "}},
		{"3", "failure", 3, []string{"::notice ", "::error "}},
	} {
		out := step{script: "verdict.sh", env: map[string]string{"GWPLAN_EXIT_CODE": tt.code, "GWPLAN_UPLOAD": tt.upload}}.run(t)
		obeyed := commands(out.log)
		if out.code != tt.want || !slices.EqualFunc(obeyed, tt.level, strings.HasPrefix) {
			t.Errorf("%s, upload %s: exit %d, commands %q", tt.code, tt.upload, out.code, obeyed)
		}
	}
}

// What gwplan says of the flags that fail the run is the annotation, and can be no command of its own.
func TestVerdictSaysWhy(t *testing.T) {
	said := "note\ngwplan: --fail-on error: 1 error: HTTPRoute shop/cart loses 50% ::error::x\nhint: x\ngwplan: --no-new-access: less protected: shop/*\n"
	out, _ := analyse(t, analyser{Plan: plan(1, 0, 1, 0, 0), Report: report, Exit: 1, Complain: said}, nil)
	out = step{script: "verdict.sh", env: map[string]string{
		"GWPLAN_EXIT_CODE": "1", "GWPLAN_UPLOAD": "success", "GWPLAN_REASONS": out.outputs["reasons"],
	}}.run(t)
	want := []string{
		"::error title=gwplan::--fail-on error: 1 error: HTTPRoute shop/cart loses 50%25 ::error::x",
		"::error title=gwplan::--no-new-access: less protected: shop/*",
	}
	if got := commands(out.log); !slices.Equal(got, want) || out.code != 1 {
		t.Errorf("exit %d, commands %q, want %q", out.code, got, want)
	}
}

// Reports of two uses in one job do not overwrite each other.
func TestAnalyseTwice(t *testing.T) {
	temp := t.TempDir()
	env := map[string]string{"RUNNER_TEMP": temp, "GITHUB_OUTPUT": filepath.Join(temp, "first")}
	first, _ := analyse(t, analyser{Plan: plan(0, 0, 0, 0, 0), Report: report}, env)
	env["GITHUB_OUTPUT"] = filepath.Join(temp, "second")
	second, _ := analyse(t, analyser{Plan: plan(0, 0, 0, 0, 0), Report: report}, env)
	if first.outputs["report"] == second.outputs["report"] {
		t.Errorf("both write %s", first.outputs["report"])
	}
}
