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
		"GWPLAN_COMMENT": "auto", "GWPLAN_COMMENT_ID": "default", "GWPLAN_COMMENT_MODE": "update",
		"GWPLAN_NOTEWORTHY": "true",
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

func TestCommentRefused(t *testing.T) {
	const fork = "gh: Resource not accessible by integration (HTTP 403)"
	for name, tt := range map[string]struct {
		refusal, comment, level string
		code                    int
	}{
		"fork":           {fork, "auto", "::notice ", 0},
		"fork, always":   {fork, "always", "::notice ", 0},
		"fork, GraphQL":  {"gh: Resource not accessible by integration", "auto", "::notice ", 0},
		"rate limit":     {"gh: You have exceeded a secondary rate limit (HTTP 403)", "auto", "::warning ", 0},
		"outage":         {"gh: HTTP 502", "auto", "::warning ", 0},
		"outage, always": {"gh: HTTP 502", "always", "::warning ", 1},
		"hostile":        {"gh: HTTP 500\n::add-mask::x", "auto", "::warning ", 0},
	} {
		for _, before := range [][]comment{nil, {bot("1", old)}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				out, after := comments(t, &forge{Refusal: tt.refusal, Comments: before}, map[string]string{"GWPLAN_COMMENT": tt.comment})
				if out.code != tt.code || len(after.Calls) > 0 {
					t.Errorf("exit %d, want %d; calls %q\n%s", out.code, tt.code, after.Calls, out.log)
				}
				if obeyed := commands(out.log); len(obeyed) != 1 || !strings.HasPrefix(obeyed[0], tt.level) {
					t.Errorf("commands %q, want one %s", obeyed, tt.level)
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
