package action_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// built is the real gwplan, built once.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(tools, "built", "gwplan")
	cmd := exec.Command("go", "build", "-o", path, "../cmd/gwplan")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func realGwplan(t *testing.T) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	gateway = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public, namespace: infra}
spec:
  gatewayClassName: eg
  listeners: [{name: http, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}]
`
	route = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: NAME, namespace: shop}
spec:
  parentRefs: [{name: public, namespace: infra}]
  hostnames: [NAME.example.com]
  rules: [{backendRefs: [{name: NAME, port: 80}]}]
`
	jwt = `apiVersion: gateway.envoyproxy.io/v1alpha1
kind: SecurityPolicy
metadata: {name: NAME-auth, namespace: shop}
spec:
  targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: NAME}]
  jwt: {providers: [{name: idp, remoteJWKS: {uri: "https://idp.example.com/jwks"}}]}
`
)

// upstream is a repository on a server: main, a branch topic, and their merge as GitHub makes it for tests. Each
// commit takes the policy of one route away, so that a headline says what was compared.
type upstream struct {
	clone
	// main are the commits of main, oldest first: cart loses its policy in the second one, menu in the third.
	main []string
	// topic loses the policy of checkout in its first commit and that of pay in its second.
	topic []string
	merge string
}

func upstreamOf(t *testing.T) upstream {
	t.Helper()
	u := upstream{clone: clone{dir: t.TempDir()}}
	u.git(t, "init", "-q", "-b", "main")
	write(t, filepath.Join(u.dir, "gateway.yaml"), gateway)
	for _, name := range []string{"cart", "checkout", "menu", "pay"} {
		write(t, filepath.Join(u.dir, name+".yaml"), strings.ReplaceAll(route, "NAME", name))
		write(t, filepath.Join(u.dir, name+"-auth.yaml"), strings.ReplaceAll(jwt, "NAME", name))
	}
	u.git(t, "add", ".")
	u.main = append(u.main, u.commit(t, "first"))
	u.git(t, "checkout", "-q", "-b", "topic")
	for _, name := range []string{"checkout", "pay"} {
		u.git(t, "rm", "-q", name+"-auth.yaml")
		u.topic = append(u.topic, u.commit(t, name))
	}
	u.git(t, "checkout", "-q", "main")
	for _, name := range []string{"cart", "menu"} {
		u.git(t, "rm", "-q", name+"-auth.yaml")
		u.main = append(u.main, u.commit(t, name))
	}
	u.git(t, "checkout", "-q", "--detach")
	u.git(t, "merge", "-q", "--no-ff", "-m", "merge", "topic")
	u.merge = u.git(t, "rev-parse", "HEAD")
	u.git(t, "update-ref", "refs/pull/7/merge", "HEAD")
	u.git(t, "checkout", "-q", "main")
	return u
}

func (c clone) commit(t *testing.T, message string) string {
	t.Helper()
	c.git(t, "commit", "-q", "-m", message)
	return c.git(t, "rev-parse", "HEAD")
}

// checkout is what actions/checkout leaves: one revision, so deep, and with depth 0 all branches.
func (u upstream) checkout(t *testing.T, id, ref, depth string) clone {
	t.Helper()
	c := clone{dir: t.TempDir()}
	c.git(t, "init", "-q", "-b", "main")
	c.git(t, "remote", "add", "origin", "file://"+u.dir)
	if depth == "0" {
		c.git(t, "fetch", "-q", "--no-tags", "origin", "+refs/heads/*:refs/remotes/origin/*")
		c.git(t, "fetch", "-q", "--no-tags", "origin", "+"+id+":"+ref)
	} else {
		c.git(t, "fetch", "-q", "--no-tags", "--depth="+depth, "origin", "+"+id+":"+ref)
	}
	c.git(t, "checkout", "-q", "--force", ref)
	return c
}

// Each event, in each shape of checkout, compares what it should with the real gwplan: a shallow one is deepened.
func TestEvents(t *testing.T) {
	binary := realGwplan(t)
	u := upstreamOf(t)
	const (
		zeros  = "0000000000000000000000000000000000000000"
		absent = "00000000000000000000000000000000000000ff"
		// Which routes lose their policy.
		topic = "checkout pay"
		main  = "cart menu"
		menu  = "menu"
		cart  = "cart"
	)
	newest, tip := u.main[2], u.topic[1]
	for name, tt := range map[string]struct {
		event, id, ref string
		env            map[string]string
		base, want     string
		notice         string
	}{
		"merge of a pull request": {
			event: "pull_request", id: u.merge, ref: "refs/remotes/pull/7/merge",
			env: map[string]string{"EVENT_BASE": u.main[1], "EVENT_HEAD": tip}, base: newest, want: topic,
		},
		"head of a pull request": {
			event: "pull_request", id: tip, ref: "refs/remotes/origin/topic",
			env: map[string]string{"EVENT_BASE": newest, "EVENT_HEAD": tip}, base: u.main[0], want: topic,
		},
		"merge queue": {
			event: "merge_group", id: newest, ref: "refs/remotes/origin/main", env: map[string]string{"EVENT_BASE": u.main[1]}, base: u.main[1], want: menu,
		},
		"push of two commits": {
			event: "push", id: newest, ref: "refs/remotes/origin/main", env: map[string]string{"EVENT_BASE": u.main[0]}, base: u.main[0], want: main,
		},
		"push of a new branch": {
			event: "push", id: tip, ref: "refs/remotes/origin/topic",
			env: map[string]string{"EVENT_BASE": zeros, "GITHUB_REF": "refs/heads/topic"}, base: u.main[0], want: topic, notice: "the merge base with main",
		},
		"forced push whose base is gone": {
			event: "push", id: tip, ref: "refs/remotes/origin/topic",
			env:  map[string]string{"EVENT_BASE": absent, "EVENT_FORCED": "true", "GITHUB_REF": "refs/heads/topic"},
			base: u.main[0], want: topic, notice: "is gone; compared with",
		},
		"push whose base is gone": {
			event: "push", id: tip, ref: "refs/remotes/origin/topic",
			env:  map[string]string{"EVENT_BASE": absent, "EVENT_FORCED": "false", "GITHUB_REF": "refs/heads/topic"},
			base: u.main[0], want: topic, notice: "is gone; compared with",
		},
		"forced push to the default branch": {
			event: "push", id: u.main[1], ref: "refs/remotes/origin/main",
			env: map[string]string{"EVENT_BASE": absent, "EVENT_FORCED": "true"}, base: u.main[0], want: cart, notice: "the commit before",
		},
		"by hand": {
			event: "workflow_dispatch", id: tip, ref: "refs/remotes/origin/topic",
			env: map[string]string{"GITHUB_REF": "refs/heads/topic"}, base: u.main[0], want: topic, notice: "the merge base with main",
		},
		"by hand, on the default branch": {
			event: "workflow_dispatch", id: newest, ref: "refs/remotes/origin/main", base: u.main[1], want: menu,
		},
	} {
		for _, depth := range []string{"1", "2", "0"} {
			t.Run(name+", depth "+depth, func(t *testing.T) {
				t.Parallel()
				c := u.checkout(t, tt.id, tt.ref, depth)
				env := map[string]string{
					"GITHUB_EVENT_NAME": tt.event, "GITHUB_REF": "refs/heads/main", "GITHUB_SHA": tt.id, "GWPLAN_BASE": "",
					"EVENT_DEFAULT": "main", "GWPLAN_DIRECTORY": c.dir, "GWPLAN_BINARY": binary,
				}
				maps.Copy(env, tt.env)
				out, _ := analyse(t, analyser{}, env)
				plan := planOf(t, out)
				if plan.losers() != tt.want || plan.Base.Commit != tt.base || out.outputs["exit-code"] != "0" || out.outputs["version"] == "" {
					t.Errorf("%s since %s, want %s since %s\n%s", plan.Summary.Headline, plan.Base.Commit, tt.want, tt.base, out.log)
				}
				if obeyed := commands(out.log); tt.notice == "" && len(obeyed) > 0 || tt.notice != "" && (len(obeyed) != 1 || !strings.Contains(obeyed[0], tt.notice)) {
					t.Errorf("told %q, want %q", obeyed, tt.notice)
				}
			})
		}
	}
}

// planned is the part of a plan that says what was compared.
type planned struct {
	Base    struct{ Commit string }
	Summary struct{ Headline string }
}

// losers are the routes that the headline names, sorted.
func (p planned) losers() string {
	routes := regexp.MustCompile(`\bshop/(\w+)`).FindAllStringSubmatch(p.Summary.Headline, -1)
	var names []string
	for _, route := range routes {
		names = append(names, route[1])
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func planOf(t *testing.T, out outcome) planned {
	t.Helper()
	var p planned
	if err := json.Unmarshal([]byte(read(t, out.outputs["json"])), &p); err != nil {
		t.Fatalf("no plan: %v\n%s", err, out.log)
	}
	return p
}

// A pull request from its first run on, with the real gwplan and the real gh: what they say to each other is what the
// other tests take for granted.
func TestEndToEnd(t *testing.T) {
	binary := realGwplan(t)
	s := serve(t)
	gh := s.real(t)
	if gh == nil {
		return
	}
	u := upstreamOf(t)
	c := u.checkout(t, u.merge, "refs/remotes/pull/7/merge", "1")

	// run runs both steps, as action.yml hands the outputs of the one to the other.
	run := func(t *testing.T, env map[string]string) (analysed, commented outcome) {
		t.Helper()
		all := map[string]string{
			"GITHUB_EVENT_NAME": "pull_request", "GITHUB_SHA": u.merge, "GWPLAN_BASE": "", "EVENT_DEFAULT": "main", "EVENT_HEAD": u.topic[1],
			"EVENT_BASE": u.main[2], "GWPLAN_DIRECTORY": c.dir, "GWPLAN_BINARY": binary, "GITHUB_SERVER_URL": s.URL,
		}
		maps.Copy(all, env)
		analysed, _ = analyse(t, analyser{}, all)
		all = map[string]string{
			"PR_NUMBER": "7", "GWPLAN_COMMENT": "auto", "GWPLAN_COMMENT_ID": "default", "GWPLAN_COMMENT_MODE": "update", "GWPLAN_BINARY": binary,
			"GWPLAN_NOTEWORTHY": analysed.outputs["noteworthy"], "GWPLAN_REPORT": analysed.outputs["report"],
			"GWPLAN_NOTE": analysed.outputs["note"], "GWPLAN_PLAN": analysed.outputs["json"],
		}
		maps.Copy(all, gh)
		maps.Copy(all, env)
		commented = step{script: "comment.sh", env: all}.run(t)
		if commented.code != 0 || strings.Contains(analysed.log+commented.log, "t0ken") {
			t.Errorf("exit %d\n%s", commented.code, commented.log)
		}
		return analysed, commented
	}
	// after checks what was written since the last look, and returns our comment.
	seen := 0
	after := func(t *testing.T, out outcome, calls ...string) string {
		t.Helper()
		if got := s.forge.Calls[seen:]; !slices.Equal(got, calls) {
			t.Fatalf("calls %q, want %q\n%s", got, calls, out.log)
		}
		seen = len(s.forge.Calls)
		i := slices.IndexFunc(s.forge.Comments, func(c comment) bool { return c.ID == "new" })
		if i < 0 {
			return ""
		}
		return s.forge.Comments[i].Body
	}
	headline := regexp.MustCompile(`(?m)^### gwplan: .*shop/checkout and shop/pay\b`)
	// Others have filled two pages.
	for i := range 2 * pageSize {
		s.forge.Comments = append(s.forge.Comments, comment{ID: fmt.Sprint("other", i), Body: "hello", Author: author{Type: "User", Login: "ana"}})
	}

	// A token that may only read gets no comment, and a notice.
	s.forge.Failures = []failure{{On: "write", Status: 403, Body: `{"message":"Resource not accessible by integration"}`}}
	_, out := run(t, nil)
	if after(t, out) != "" || len(out.slept) > 0 || len(commands(out.log)) != 1 || !strings.HasPrefix(commands(out.log)[0], "::notice ") {
		t.Errorf("waited %q\n%s", out.slept, out.log)
	}
	// An outage and a rate limit pass.
	s.forge.Failures = []failure{
		{On: "any", Status: 502, Body: "<html>Bad Gateway</html>"},
		{On: "write", Status: 500, Body: `{"message":"Server Error"}`},
		{On: "any", Status: 403, Headers: []string{"Retry-After: 5"}, Body: `{"message":"You have exceeded a secondary rate limit"}`},
	}
	_, out = run(t, nil)
	if body := after(t, out, "create"); !headline.MatchString(body) || !slices.Equal(out.slept, []string{"2", "4", "5"}) || out.outputs["comment-url"] == "" {
		t.Errorf("waited %q, url %q, comment %q\n%s", out.slept, out.outputs["comment-url"], body, out.log)
	}
	// The same again is left alone; it is found on a later page.
	_, out = run(t, nil)
	good := after(t, out)
	// A run that cannot analyse adds one line.
	_, out = run(t, map[string]string{"GWPLAN_BASE": "nowhere"})
	if body := after(t, out, "update new"); !strings.HasSuffix(body, strings.TrimPrefix(good, marker+"\n")) ||
		!strings.Contains(body, "could not be analysed**: `revision \"nowhere\" matches no commit in this repository`") ||
		strings.Count(body, "\n") != strings.Count(good, "\n")+2 {
		t.Errorf("comment %q", body)
	}
	// A text that GitHub does not take is written shorter; the next result takes the note away.
	s.forge.Longest = len(good) + 100
	s.forge.Failures = []failure{{On: "write", Status: 422, Body: `{"message":"Validation Failed"}`}}
	_, out = run(t, nil)
	if body := after(t, out, "update new"); !headline.MatchString(body) || strings.Contains(body, "gwplan:note") {
		t.Errorf("comment %q\n%s", body, out.log)
	}
	// And one that never fits ends in a warning, with the old comment as it was.
	s.forge.Longest = 10
	_, out = run(t, map[string]string{"GWPLAN_BASE": u.main[0]})
	if after(t, out); len(commands(out.log)) != 1 || !strings.HasPrefix(commands(out.log)[0], "::warning ") {
		t.Errorf("log\n%s", out.log)
	}
}
