package action_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	marker = "<!-- gwplan:default -->"
	report = marker + "\n### gwplan: 4 HTTPRoutes lose retries\n\n`@all` <b>$(touch pwned)</b> `x`\n"
	old    = marker + "\n### gwplan: 1 HTTPRoute loses retries\n"
)

// comments runs the step on a pull request and returns what is there afterwards.
func comments(t *testing.T, f *forge, env map[string]string) (outcome, *forge) {
	t.Helper()
	if f.Viewer == "" {
		f.Viewer = "github-actions[bot]"
	}
	path := f.open(t)
	file := filepath.Join(t.TempDir(), "report.md")
	write(t, file, report)
	all := map[string]string{
		"FAKE_FORGE": path, "GH_TOKEN": "t0ken", "PR_NUMBER": "7", "GWPLAN_REPORT": file,
		"GWPLAN_COMMENT": "auto", "GWPLAN_COMMENT_ID": "default", "GWPLAN_COMMENT_MODE": "update", "GWPLAN_COMMENT_PARTS": "1",
		"GWPLAN_NOTEWORTHY": "true", "GWPLAN_NOTE": "", "GWPLAN_PLAN": "", "GWPLAN_BINARY": "gwplan",
	}
	maps.Copy(all, env)
	out := step{script: "comment.sh", env: all}.run(t)
	after, err := loadForge(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.log, "t0ken") {
		t.Errorf("the log holds the token:\n%s", out.log)
	}
	return out, after
}

func TestComment(t *testing.T) {
	person := bot("1", old)
	person.Author = author{Type: "User", Login: "github-actions"}
	stranger := bot("1", old)
	stranger.Author = author{Type: "Bot", Login: "other-app"}
	hidden := bot("1", old)
	hidden.IsMinimized = true
	mentioned := bot("1", "see "+old)

	for name, tt := range map[string]struct {
		env      map[string]string
		comments []comment
		calls    []string
		url      string
	}{
		"first comment":       {calls: []string{"create"}, url: "new"},
		"updated in place":    {comments: []comment{bot("1", old)}, calls: []string{"update 1"}, url: "1"},
		"equal is left alone": {comments: []comment{bot("1", report)}, url: "1"},
		"equal but for line ends and the end": {
			comments: []comment{bot("1", strings.ReplaceAll(report, "\n", "\r\n")+"\n")}, url: "1",
		},
		"on a later page":                {comments: []comment{{ID: "a"}, {ID: "b"}, bot("1", old)}, calls: []string{"update 1"}, url: "1"},
		"the newest of several":          {comments: []comment{bot("1", old), bot("2", old)}, calls: []string{"update 2"}, url: "2"},
		"planted by a person":            {comments: []comment{person}, calls: []string{"create"}, url: "new"},
		"planted by another bot":         {comments: []comment{stranger}, calls: []string{"create"}, url: "new"},
		"minimised":                      {comments: []comment{hidden}, calls: []string{"create"}, url: "new"},
		"marker not on the first line":   {comments: []comment{mentioned}, calls: []string{"create"}, url: "new"},
		"another id":                     {env: map[string]string{"GWPLAN_COMMENT_ID": "prod"}, comments: []comment{bot("1", old)}, calls: []string{"create"}, url: "new"},
		"nothing to say":                 {env: map[string]string{"GWPLAN_NOTEWORTHY": "false"}},
		"nothing to say, always":         {env: map[string]string{"GWPLAN_NOTEWORTHY": "false", "GWPLAN_COMMENT": "always"}, calls: []string{"create"}, url: "new"},
		"nothing to say any more":        {env: map[string]string{"GWPLAN_NOTEWORTHY": "false"}, comments: []comment{bot("1", old)}, calls: []string{"update 1"}, url: "1"},
		"delete":                         {env: map[string]string{"GWPLAN_COMMENT_MODE": "delete"}, comments: []comment{bot("1", old)}, calls: []string{"create", "delete 1"}, url: "new"},
		"delete, equal":                  {env: map[string]string{"GWPLAN_COMMENT_MODE": "delete"}, comments: []comment{bot("1", report)}, url: "1"},
		"delete, nothing to say":         {env: map[string]string{"GWPLAN_COMMENT_MODE": "delete", "GWPLAN_NOTEWORTHY": "false"}, comments: []comment{bot("1", old)}, calls: []string{"delete 1"}},
		"hide":                           {env: map[string]string{"GWPLAN_COMMENT_MODE": "hide"}, comments: []comment{bot("1", old), bot("2", old)}, calls: []string{"create", "hide 1", "hide 2"}, url: "new"},
		"new":                            {env: map[string]string{"GWPLAN_COMMENT_MODE": "new"}, comments: []comment{bot("1", report)}, calls: []string{"create"}, url: "new"},
		"new, nothing to say":            {env: map[string]string{"GWPLAN_COMMENT_MODE": "new", "GWPLAN_NOTEWORTHY": "false"}, comments: []comment{bot("1", old)}, url: "1"},
		"deleting never touches a plant": {env: map[string]string{"GWPLAN_COMMENT_MODE": "delete", "GWPLAN_NOTEWORTHY": "false"}, comments: []comment{person, stranger, hidden, mentioned}},
		"no pull request":                {env: map[string]string{"PR_NUMBER": "", "GWPLAN_COMMENT": "always"}},
		"a number that is none":          {env: map[string]string{"PR_NUMBER": "7 --method DELETE"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, after := comments(t, &forge{Comments: tt.comments}, tt.env)
			if out.code != 0 {
				t.Fatalf("exit %d:\n%s", out.code, out.log)
			}
			if !slices.Equal(after.Calls, tt.calls) {
				t.Errorf("calls %q, want %q\n%s", after.Calls, tt.calls, out.log)
			}
			if got := strings.TrimPrefix(out.outputs["comment-url"], "https://github.com/c/"); got != tt.url {
				t.Errorf("comment-url %q, want %q", got, tt.url)
			}
		})
	}
}

// The body reaches GitHub byte for byte: it is never part of a script.
func TestCommentBody(t *testing.T) {
	_, after := comments(t, &forge{Comments: []comment{bot("1", old)}}, nil)
	if got := after.Comments[0].Body; got != report {
		t.Errorf("updated body %q, want %q", got, report)
	}
	_, after = comments(t, &forge{}, nil)
	if got := after.Comments[0].Body; got != report {
		t.Errorf("created body %q, want %q", got, report)
	}
}

// A token of a person sees that person's comments as its own.
func TestCommentOfPerson(t *testing.T) {
	own := bot("1", old)
	own.Author = author{Type: "User", Login: "ana"}
	_, after := comments(t, &forge{Viewer: "ana", Comments: []comment{own, bot("2", old)}}, nil)
	if want := []string{"update 1"}; !slices.Equal(after.Calls, want) {
		t.Errorf("calls %q, want %q", after.Calls, want)
	}
}

// A token that may not write is no failure; anything else is one where a comment is asked for by all means.
func TestCommentRefused(t *testing.T) {
	forbidden := failure{On: "write", Status: 403, Body: `{"message":"Resource not accessible by integration"}`, Said: "gh: Resource not accessible by integration (HTTP 403)"}
	graphql := failure{On: "write", Status: 200, Body: `{"errors":[{"type":"FORBIDDEN"}]}`, Said: "gh: Resource not accessible by integration"}
	locked := failure{On: "write", Status: 410, Said: "gh: This issue is locked (HTTP 410)"}
	hostile := failure{On: "write", Status: 400, Said: "gh: HTTP 400\n::add-mask::x"}
	for name, tt := range map[string]struct {
		failure        failure
		comment, level string
		code           int
	}{
		"fork":           {forbidden, "auto", "::notice ", 0},
		"fork, always":   {forbidden, "always", "::notice ", 0},
		"fork, GraphQL":  {graphql, "auto", "::notice ", 0},
		"locked":         {locked, "auto", "::warning ", 0},
		"locked, always": {locked, "always", "::warning ", 1},
		"hostile":        {hostile, "auto", "::warning ", 0},
	} {
		for _, before := range [][]comment{nil, {bot("1", old)}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				out, after := comments(t, &forge{Failures: []failure{tt.failure}, Comments: before}, map[string]string{"GWPLAN_COMMENT": tt.comment})
				if out.code != tt.code || len(after.Calls) > 0 || len(out.slept) > 0 {
					t.Errorf("exit %d, want %d; calls %q, waited %q\n%s", out.code, tt.code, after.Calls, out.slept, out.log)
				}
				if obeyed := commands(out.log); len(obeyed) != 1 || !strings.HasPrefix(obeyed[0], tt.level) {
					t.Errorf("commands %q, want one %s", obeyed, tt.level)
				}
			})
		}
	}
}

// What passes is tried again, and within bounds.
func TestCommentRetries(t *testing.T) {
	bad := failure{On: "any", Status: 502, Said: "gh: Server Error (HTTP 502)"}
	written := failure{On: "write", Status: 504, Said: "gh: HTTP 504", Done: true}
	silent := failure{On: "any", Said: "error connecting to api.github.com"}
	ask := func(status int, headers ...string) failure {
		return failure{On: "any", Status: status, Headers: headers, Said: "gh: slow down"}
	}
	many := slices.Repeat([]failure{bad}, 20)
	for name, tt := range map[string]struct {
		failures []failure
		mode     string
		slept    []string
		calls    []string
		gaveUp   bool
	}{
		"outage":                    {failures: []failure{bad, bad}, slept: []string{"2", "4"}, calls: []string{"create"}},
		"no connection":             {failures: []failure{silent}, slept: []string{"2"}, calls: []string{"create"}},
		"outage for long":           {failures: many, slept: []string{"2", "4", "8", "16", "32"}, gaveUp: true},
		"written, but not heard of": {failures: []failure{written}, slept: []string{"2"}, calls: []string{"create"}},
		"written, in mode new":      {failures: []failure{written}, mode: "new", slept: []string{"2"}, calls: []string{"create"}},
		"429":                       {failures: []failure{ask(429, "Retry-After: 7")}, slept: []string{"7"}, calls: []string{"create"}},
		"429 without a time":        {failures: []failure{ask(429)}, slept: []string{"60"}, calls: []string{"create"}},
		"403, retry-after":          {failures: []failure{ask(403, "retry-after: 3")}, slept: []string{"3"}, calls: []string{"create"}},
		"403, nothing remaining":    {failures: []failure{ask(403, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1")}, slept: []string{"1"}, calls: []string{"create"}},
		"403, nothing remaining for an hour": {
			failures: []failure{ask(403, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 99999999999")}, gaveUp: true,
		},
		"longer than patience":  {failures: []failure{ask(429, "Retry-After: 181")}, gaveUp: true},
		"a header that is none": {failures: []failure{ask(429, "Retry-After: 1; touch pwned")}, slept: []string{"60"}, calls: []string{"create"}},
		"rate limit of GraphQL": {
			failures: []failure{{On: "list", Status: 200, Body: `{"errors":[{"type":"RATE_LIMITED"}]}`, Said: "gh: API rate limit exceeded"}},
			slept:    []string{"60"}, calls: []string{"create"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{}
			if tt.mode != "" {
				env["GWPLAN_COMMENT_MODE"] = tt.mode
			}
			out, after := comments(t, &forge{Failures: tt.failures}, env)
			if !slices.Equal(out.slept, tt.slept) || !slices.Equal(after.Calls, tt.calls) || out.code != 0 {
				t.Errorf("exit %d, waited %q, want %q; calls %q, want %q\n%s", out.code, out.slept, tt.slept, after.Calls, tt.calls, out.log)
			}
			if warned := strings.Contains(out.log, "::warning "); warned != tt.gaveUp {
				t.Errorf("warned: %v\n%s", warned, out.log)
			}
		})
	}
}

// Where an old comment could not be retracted, the second try does, and writes nothing twice.
func TestCommentRetractsLater(t *testing.T) {
	f := &forge{Comments: []comment{bot("1", old)}, Failures: []failure{{On: "write", Status: 500, Said: "gh: HTTP 500", Done: true}}}
	_, after := comments(t, f, map[string]string{"GWPLAN_COMMENT_MODE": "delete"})
	if want := []string{"create", "delete 1"}; !slices.Equal(after.Calls, want) {
		t.Errorf("calls %q, want %q", after.Calls, want)
	}
}

// A report that is too long is written once more, a step shorter, and only once.
func TestCommentTooLong(t *testing.T) {
	const short = marker + "\n### short\n"
	for name, tt := range map[string]struct {
		report string
		plan   string
		calls  []string
	}{
		"shorter":          {short, "{}", []string{"create"}},
		"still too long":   {report, "{}", nil},
		"without its plan": {short, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := analyser{Plan: "{}", Report: tt.report}
			path, file := a.open(t), filepath.Join(t.TempDir(), "plan.json")
			write(t, file, tt.plan)
			out, after := comments(t, &forge{Longest: len(short)}, map[string]string{"FAKE_ANALYSER": path, "GWPLAN_BINARY": "gwplan", "GWPLAN_PLAN": file})
			if !slices.Equal(after.Calls, tt.calls) || len(out.slept) > 0 || out.code != 0 {
				t.Fatalf("exit %d, calls %q, waited %q\n%s", out.code, after.Calls, out.slept, out.log)
			}
			if len(tt.calls) > 0 && after.Comments[0].Body != short {
				t.Errorf("comment %q", after.Comments[0].Body)
			}
			if rendered := strings.Contains(read(t, path), "--max-bytes=30000"); tt.plan != "" && !rendered {
				t.Errorf("the report was not rendered within 30000 bytes: %s", read(t, path))
			}
		})
	}
}

// A report of several parts has a comment for each. Comments of parts that it has no more go, those of others stay.
func TestCommentParts(t *testing.T) {
	part := func(n, text string) string {
		return "<!-- gwplan:default:" + n + " -->\n### gwplan, part " + n + "\n\n" + text + "\n"
	}
	planted := bot("9", part("2", "old"))
	planted.Author = author{Type: "User", Login: "github-actions"}
	two := map[string]string{"2/3": part("2", "new"), "3/3": ""}
	for name, tt := range map[string]struct {
		env      map[string]string
		parts    map[string]string
		comments []comment
		calls    []string
	}{
		"first":              {parts: two, calls: []string{"create", "create"}},
		"updated":            {parts: two, comments: []comment{bot("1", old), bot("2", part("2", "old"))}, calls: []string{"update 1", "update 2"}},
		"equal":              {parts: two, comments: []comment{bot("1", report), bot("2", part("2", "new"))}},
		"fewer":              {parts: two, comments: []comment{bot("1", report), bot("2", part("2", "new")), bot("3", part("3", "old"))}, calls: []string{"delete 3"}},
		"none any more":      {parts: map[string]string{"2/3": ""}, comments: []comment{bot("1", old), bot("2", part("2", "old"))}, calls: []string{"update 1", "delete 2"}},
		"planted":            {parts: two, comments: []comment{bot("1", report), planted}, calls: []string{"create"}},
		"one asked for":      {env: map[string]string{"GWPLAN_COMMENT_PARTS": "1"}, comments: []comment{bot("1", report), bot("4", part("4", "old"))}, calls: []string{"delete 4"}},
		"hidden":             {env: map[string]string{"GWPLAN_COMMENT_MODE": "hide"}, parts: map[string]string{"2/3": ""}, comments: []comment{bot("1", report), bot("2", part("2", "old"))}, calls: []string{"hide 2"}},
		"kept":               {env: map[string]string{"GWPLAN_COMMENT_MODE": "new"}, parts: map[string]string{"2/3": ""}, comments: []comment{bot("1", old), bot("2", part("2", "old"))}, calls: []string{"create"}},
		"of another comment": {parts: map[string]string{"2/3": ""}, comments: []comment{bot("1", report), bot("2", strings.Replace(part("2", "old"), "default", "prod", 1))}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := analyser{Plan: "{}", Report: report, Parts: tt.parts}
			path, file := a.open(t), filepath.Join(t.TempDir(), "plan.json")
			write(t, file, "{}")
			env := map[string]string{"FAKE_ANALYSER": path, "GWPLAN_PLAN": file, "GWPLAN_COMMENT_PARTS": "3"}
			maps.Copy(env, tt.env)
			out, after := comments(t, &forge{Comments: tt.comments}, env)
			if out.code != 0 || len(commands(out.log)) > 0 || !slices.Equal(after.Calls, tt.calls) {
				t.Errorf("exit %d, calls %q, want %q\n%s", out.code, after.Calls, tt.calls, out.log)
			}
		})
	}
}

// Where GitHub finds a part too long, all parts are divided anew.
func TestCommentPartsTooLong(t *testing.T) {
	first, second := marker+"\n### gwplan: first\n", "<!-- gwplan:default:2 -->\n### gwplan, part 2\n"
	a := analyser{Plan: "{}", Report: report, Parts: map[string]string{"1/2": first, "2/2": second}}
	path, file := a.open(t), filepath.Join(t.TempDir(), "plan.json")
	write(t, file, "{}")
	out, after := comments(t, &forge{Longest: 60}, map[string]string{"FAKE_ANALYSER": path, "GWPLAN_PLAN": file, "GWPLAN_COMMENT_PARTS": "2"})
	if len(after.Comments) != 2 || after.Comments[0].Body != first || after.Comments[1].Body != second {
		t.Errorf("comments %+v\n%s", after.Comments, out.log)
	}
	if !strings.Contains(read(t, path), "--max-bytes=30000") {
		t.Errorf("part 2 was not divided anew: %s", read(t, path))
	}
}

// A run without a result takes nothing from a comment: it puts one line on top, and the next result takes that away.
func TestCommentWithoutResult(t *testing.T) {
	const (
		none   = marker + "\n### gwplan: no result\n\nCommit `abc` could not be analysed: `x`\n"
		line   = "> **Commit `abc` could not be analysed**: `x`. <!-- gwplan:note -->\n"
		before = "> **Commit `123` could not be analysed**: `y`. <!-- gwplan:note -->\n"
		rest   = "### gwplan: 1 HTTPRoute loses retries\n\nrest\n"
	)
	for name, tt := range map[string]struct {
		body, want string
		calls      []string
	}{
		"first":        {"", none, []string{"create"}},
		"good comment": {marker + "\n" + rest, marker + "\n" + line + "\n" + rest, []string{"update 1"}},
		"line ends of GitHub": {
			strings.ReplaceAll(marker+"\n"+rest, "\n", "\r\n"), marker + "\n" + line + "\n" + rest, []string{"update 1"},
		},
		"noted before":        {marker + "\n" + before + "\n" + rest, marker + "\n" + line + "\n" + rest, []string{"update 1"}},
		"same note":           {marker + "\n" + line + "\n" + rest, marker + "\n" + line + "\n" + rest, nil},
		"no result before":    {marker + "\n### gwplan: no result\n\nold\n", none, []string{"update 1"}},
		"same without result": {none, none, nil},
	} {
		for _, mode := range []string{"update", "delete", "hide", "new"} {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				f := &forge{}
				if tt.body != "" {
					f.Comments = []comment{bot("1", tt.body)}
				}
				dir := t.TempDir()
				write(t, filepath.Join(dir, "report.md"), none)
				write(t, filepath.Join(dir, "note.md"), line)
				env := map[string]string{
					"GWPLAN_COMMENT_MODE": mode, "GWPLAN_NOTE": filepath.Join(dir, "note.md"), "GWPLAN_REPORT": filepath.Join(dir, "report.md"),
				}
				out, after := comments(t, f, env)
				if len(after.Comments) != 1 || strings.TrimRight(after.Comments[0].Body, "\n") != strings.TrimRight(tt.want, "\n") || !slices.Equal(after.Calls, tt.calls) {
					t.Fatalf("calls %q, comments %+v\n%s", after.Calls, after.Comments, out.log)
				}
				if mode != "update" {
					return
				}
				// The next result stands alone.
				if _, after := comments(t, after, nil); after.Comments[0].Body != report {
					t.Errorf("after the next result: %q", after.Comments[0].Body)
				}
			})
		}
	}
}

// A server of one's own is told to gh; github.com is its default.
func TestCommentHost(t *testing.T) {
	for server, want := range map[string]string{"https://github.com": "", "https://git.example.com": "git.example.com"} {
		_, after := comments(t, &forge{}, map[string]string{"GITHUB_SERVER_URL": server})
		if after.Host != want || after.Token != "t0ken" {
			t.Errorf("%s: host %q, token %q", server, after.Host, after.Token)
		}
	}
}
