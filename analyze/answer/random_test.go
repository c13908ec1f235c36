package answer_test

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
)

// worlds is how many random worlds the tests look at, with 30 requests each, or 60 where two revisions are compared.
// A million requests: go test ./analyze/answer -run Random -worlds 34000 -timeout 1h
var worlds = flag.Int("worlds", 400, "how many random worlds are looked at")

// world is a Gateway with routes, in the words of the specification.
type world struct {
	listeners []string // hostnames
	routes    []worldRoute
	// controller is that of the Gateway's class, "" for the specification.
	controller string
}

type worldRoute struct {
	hosts []string
	// age is the day of its creation.
	age   int
	rules [][]worldMatch
}

// worldMatch has regular expressions for the values of headers and parameters that begin with ~.
type worldMatch struct {
	form, path, method string
	headers, params    map[string]string
}

// valued reports whether a value is the one wanted, as the random matches write it.
func valued(want, got string, sent bool) bool {
	switch want {
	case "~[12]":
		return got == "1" || got == "2"
	case "~1.*":
		return strings.HasPrefix(got, "1")
	case "~.* .*":
		return strings.Contains(got, " ")
	}
	return sent && got == want
}

func randomWorld(r *rand.Rand) world {
	hosts := []string{"", "*.example.com", "*.a.example.com", "a.example.com", "b.a.example.com", "other.org"}
	w := world{}
	for _, i := range r.Perm(len(hosts))[:1+r.IntN(3)] {
		w.listeners = append(w.listeners, hosts[i])
	}
	for range 1 + r.IntN(5) {
		route := worldRoute{age: 1 + r.IntN(3)}
		for _, i := range r.Perm(len(hosts) - 1)[:r.IntN(3)] {
			route.hosts = append(route.hosts, hosts[i+1])
		}
		for range 1 + r.IntN(3) {
			var rule []worldMatch
			for range 1 + r.IntN(2) {
				rule = append(rule, randomMatch(r))
			}
			route.rules = append(route.rules, rule)
		}
		w.routes = append(w.routes, route)
	}
	return w
}

func pick(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

func randomMatch(r *rand.Rand) worldMatch {
	m := worldMatch{form: pick(r, "PathPrefix", "PathPrefix", "Exact", "RegularExpression"), path: pick(r, "/", "/a", "/a/b", "/ab", "/a/b/c"), headers: map[string]string{}, params: map[string]string{}}
	if m.form == "RegularExpression" {
		m.path = pick(r, "/a.*", "/[ab]", "/a/(b|c)")
	}
	if r.IntN(3) == 0 {
		m.method = pick(r, "GET", "POST")
	}
	for _, into := range []map[string]string{m.headers, m.params} {
		for range r.IntN(5) / 2 {
			into[pick(r, "x", "y")] = pick(r, "1", "2", "1 2", "~[12]", "~1.*", "~.* .*")
		}
	}
	return m
}

// manifests writes a world.
func (w world) manifests() string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: c}\nspec: {controllerName: %q}\n---\n", cmp.Or(w.controller, "example.com/any"))
	b.WriteString("apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g, namespace: ns}\nspec:\n  gatewayClassName: c\n  listeners:\n")
	for i, host := range w.listeners {
		fmt.Fprintf(&b, "  - {name: l%d, port: 80, protocol: HTTP", i)
		if host != "" {
			fmt.Fprintf(&b, ", hostname: %q", host)
		}
		b.WriteString("}\n")
	}
	for i, route := range w.routes {
		fmt.Fprintf(&b, "---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r%d, namespace: ns, creationTimestamp: \"2024-01-0%dT00:00:00Z\"}\nspec:\n  parentRefs: [{name: g}]\n", i, route.age)
		if len(route.hosts) > 0 {
			fmt.Fprintf(&b, "  hostnames: [%s]\n", `"`+strings.Join(route.hosts, `", "`)+`"`)
		}
		b.WriteString("  rules:\n")
		for _, rule := range route.rules {
			b.WriteString("  - matches:\n")
			for _, m := range rule {
				fmt.Fprintf(&b, "    - path: {type: %s, value: %q}\n", m.form, m.path)
				if m.method != "" {
					fmt.Fprintf(&b, "      method: %s\n", m.method)
				}
				for field, values := range map[string]map[string]string{"headers": m.headers, "queryParams": m.params} {
					if len(values) > 0 {
						fmt.Fprintf(&b, "      %s:\n", field)
					}
					for name, value := range values {
						form := "Exact"
						if expression, ok := strings.CutPrefix(value, "~"); ok {
							form, value = "RegularExpression", expression
						}
						fmt.Fprintf(&b, "      - {name: %q, type: %s, value: %q}\n", name, form, value)
					}
				}
			}
		}
	}
	return b.String()
}

// slowAnswer is the rule that answers a request, "r0#1", or "": a reading of the specification that
// looks at everything for each request.
func (w world) slowAnswer(host, path, method string, headers, params map[string]string) string {
	covers := func(pattern string) bool {
		return pattern == "" || pattern == host || strings.HasPrefix(pattern, "*.") && strings.HasSuffix(host, pattern[1:]) && len(host) > len(pattern)-1
	}
	specific := func(pattern string) [2]int {
		if strings.HasPrefix(pattern, "*") || pattern == "" {
			return [2]int{0, len(pattern)}
		}
		return [2]int{1, len(pattern)}
	}
	more := func(a, b string) bool {
		x, y := specific(a), specific(b)
		return x[0] > y[0] || x[0] == y[0] && x[1] > y[1]
	}
	listener, found := "", false
	for _, l := range w.listeners {
		if covers(l) && (!found || more(l, listener)) {
			listener, found = l, true
		}
	}
	if !found {
		return ""
	}
	// A hostname of a route counts at the listener if one of the two covers the other; the request must
	// be covered by both.
	best, have := "", false
	served := func(route worldRoute) []string {
		if len(route.hosts) == 0 {
			return []string{listener}
		}
		var out []string
		for _, h := range route.hosts {
			switch {
			case listener == "" || h == listener:
				out = append(out, h)
			case strings.HasPrefix(listener, "*.") && strings.HasSuffix(h, listener[1:]) && len(h) > len(listener)-1:
				out = append(out, h)
			case strings.HasPrefix(h, "*.") && strings.HasSuffix(listener, h[1:]) && len(listener) > len(h)-1:
				out = append(out, listener)
			}
		}
		return out
	}
	for _, route := range w.routes {
		for _, h := range served(route) {
			if covers(h) && (!have || more(h, best)) {
				best, have = h, true
			}
		}
	}
	type candidate struct {
		name string
		key  []int
	}
	// Of routes with the same hostname there, the one whose own hostname is more specific has precedence.
	written := func(route worldRoute) (exact, all int) {
		for _, h := range route.hosts {
			covers := h == best || strings.HasPrefix(h, "*.") && strings.HasSuffix(best, h[1:]) && len(best) > len(h)-1
			switch {
			case !covers:
			case !strings.HasPrefix(h, "*"):
				exact, all = max(exact, len(h)), max(all, len(h))
			default:
				all = max(all, len(h))
			}
		}
		return exact, all
	}
	var candidates []candidate
	for i, route := range w.routes {
		if !slices.Contains(served(route), best) || !have {
			continue
		}
		exact, all := written(route)
		for j, rule := range route.rules {
			for _, m := range rule {
				if m.accepts(path, method, headers, params) {
					rank := map[string]int{"Exact": 0, "RegularExpression": 1, "PathPrefix": 2}[m.form]
					methods := 0
					if m.method != "" {
						methods = 1
					}
					length := len(m.path)
					if m.form == "PathPrefix" && m.path == "/" {
						length = 0
					}
					candidates = append(candidates, candidate{fmt.Sprintf("r%d#%d", i, j), []int{-exact, -all, rank, -length, -methods, -len(m.headers), -len(m.params), route.age, i, j}})
				}
			}
		}
	}
	if len(candidates) == 0 {
		return ""
	}
	return slices.MinFunc(candidates, func(a, b candidate) int { return slices.Compare(a.key, b.key) }).name
}

func (m worldMatch) accepts(path, method string, headers, params map[string]string) bool {
	switch m.form {
	case "Exact":
		if path != m.path {
			return false
		}
	case "PathPrefix":
		if m.path != "/" && path != m.path && !strings.HasPrefix(path, m.path+"/") {
			return false
		}
	default:
		accepted := map[string]func() bool{
			"/a.*":     func() bool { return strings.HasPrefix(path, "/a") },
			"/[ab]":    func() bool { return path == "/a" || path == "/b" },
			"/a/(b|c)": func() bool { return path == "/a/b" || path == "/a/c" },
		}[m.path]
		if !accepted() {
			return false
		}
	}
	if m.method != "" && m.method != method {
		return false
	}
	for name, value := range m.headers {
		if got, sent := headers[name]; !valued(value, got, sent) {
			return false
		}
	}
	for name, value := range m.params {
		if got, sent := params[name]; !valued(value, got, sent) {
			return false
		}
	}
	return true
}

// The rule that answers is the one that a slow reading of the specification finds, for random worlds
// and requests.
func TestRandomAnswers(t *testing.T) {
	worlds := *worlds
	if testing.Short() {
		worlds = min(worlds, 60)
	}
	for seed := range worlds {
		r := rand.New(rand.NewPCG(uint64(seed), 19))
		w := randomWorld(r)
		text := w.manifests()
		ports := answer.Ports(run(t, effective.NewStates(), text).Graph)
		for range 30 {
			host := pick(r, "a.example.com", "b.a.example.com", "x.example.com", "x.a.example.com", "other.org", "example.com")
			path := pick(r, "/", "/a", "/a/b", "/ab", "/a/b/c", "/a/b/c/d", "/b", "/a/c", "/z")
			method := pick(r, "GET", "POST", "PUT")
			headers, params := map[string]string{}, map[string]string{}
			url := "http://" + host + path
			var lines []string
			for _, name := range []string{"x", "y"} {
				if r.IntN(2) == 0 {
					headers[name] = pick(r, "1", "2", "12", "1 2", "3")
					lines = append(lines, name+": "+headers[name])
				}
				if r.IntN(2) == 0 {
					params[name] = pick(r, "1", "2", "12", "1 2", "3")
					url += map[bool]string{true: "?", false: "&"}[len(params) == 1] + name + "=" + strings.ReplaceAll(params[name], " ", "+")
				}
			}
			request, err := answer.ParseRequest(url, method, lines)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			at, _ := answer.At(ports, request)
			for _, p := range at {
				a := p.Answer(request)
				if len(a.Doubts) > 0 {
					t.Fatalf("seed %d: %s is not certain: %+v", seed, request, a.Doubts)
				}
				if a.Way != nil {
					got = fmt.Sprintf("%s#%d", a.Way.Route.Target.Name, a.Way.Rule.Index)
				}
			}
			if want := w.slowAnswer(host, path, method, headers, params); got != want {
				t.Fatalf("seed %d: %s %v: got %q, want %q in\n%s", seed, request, lines, got, want, text)
			}
		}
	}
}
