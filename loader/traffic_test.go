package loader_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// unknown knows no kind.
func unknown(string, string) loader.Bearing { return loader.OtherwiseRead }

// TestTrafficAtKnownKinds: an object of a known kind of a controller counts as its kind.
func TestTrafficAtKnownKinds(t *testing.T) {
	text := "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: EnvoyProxy\nspec:\n  logging: {}\n---\napiVersion: v1\nkind: EnvoyProxy\nspec: {}\n"
	known := func(group, kind string) loader.Bearing {
		if group == "gateway.envoyproxy.io" && kind == "EnvoyProxy" {
			return loader.Deciding
		}
		return loader.OtherwiseRead
	}
	for line, want := range map[int]string{4: "EnvoyProxy", 8: ""} {
		if got := strings.Join(loader.TrafficAt([]byte(text), func(n int) bool { return n == line }, known), " "); got != want {
			t.Errorf("line %d: got %q, want %q", line, got, want)
		}
	}
}

// TestTrafficAtUnreadKinds: the keys of an object of a kind that is not read come with the kind.
func TestTrafficAtUnreadKinds(t *testing.T) {
	text := "apiVersion: platform.example.com/v1\nkind: WebService\nspec:\n  ingress:\n    hostname: a.example\n  image: b\n---\napiVersion: apps/v1\nkind: WebService\nspec:\n  hostname: a\n"
	kinds := func(string, string) loader.Bearing { return loader.Unread }
	for line, want := range map[int]string{5: "WebService hostname WebService ingress", 6: "", 11: "hostname"} {
		if got := strings.Join(loader.TrafficAt([]byte(text), func(n int) bool { return n == line }, kinds), " "); got != want {
			t.Errorf("line %d: got %q, want %q", line, got, want)
		}
	}
}

func TestTrafficAt(t *testing.T) {
	text := strings.Join([]string{
		"kind: HTTPRoute",       // 1
		"spec:",                 // 2
		"  parentRefs:",         // 3
		"  - name: public",      // 4
		"    port: 80",          // 5
		"  rules:",              // 6
		"  - backendRefs: []",   // 7
		"---",                   // 8
		"data:",                 // 9
		"  ingress:",            // 10
		"    # a comment",       // 11
		"    enabled: true",     // 12
		"other: |",              // 13
		"  hostnames: [a]",      // 14
		"\"hosts\": [b, c]",     // 15
		"spec2: {gateway: yes}", // 16
	}, "\n")
	tests := []struct {
		line int
		want string
	}{
		{1, "HTTPRoute"},
		{2, "HTTPRoute"},
		{3, "HTTPRoute parentRefs"},
		{5, "HTTPRoute parentRefs"},
		{7, "HTTPRoute"},
		{9, ""},
		{11, ""},
		{12, "ingress"},
		{14, "hostnames"},
		{15, "hosts"},
		{16, "gateway"},
	}
	for _, end := range []string{"\n", "\r\n"} {
		for _, tt := range tests {
			got := loader.TrafficAt([]byte(strings.ReplaceAll(text, "\n", end)), func(line int) bool { return line == tt.line }, unknown)
			if strings.Join(got, " ") != tt.want {
				t.Errorf("line %d with %q: got %q, want %q", tt.line, end, got, tt.want)
			}
		}
	}
	if got := loader.TrafficAt([]byte(text), func(int) bool { return true }, unknown); !slices.IsSorted(got) || len(got) != 6 {
		t.Errorf("all lines: got %q", got)
	}
}

// TestTrafficAtPlaces: what a key says depends on what it stands in.
func TestTrafficAtPlaces(t *testing.T) {
	text := []byte(strings.Join([]string{
		"pod:",                              // 1
		"  labels:",                         // 2
		"    ingress.home.arpa/in: allow",   // 3
		"  hostAliases: [{hostnames: [a]}]", // 4
		"redis:",                            // 5
		"  host: a",                         // 6
		"  ingress: {enabled: true}",        // 7
		"route:",                            // 8
		"  redis:",                          // 9
		"    hostnames: [a]",                // 10
	}, "\n"))
	for line, want := range map[int]string{3: "", 4: "", 6: "", 7: "ingress", 10: "hostnames route"} {
		if got := strings.Join(loader.TrafficAt(text, func(n int) bool { return n == line }, unknown), " "); got != want {
			t.Errorf("line %d: got %q, want %q", line, got, want)
		}
	}
}

func TestTrafficIn(t *testing.T) {
	value := func(text string) *loader.Value {
		if text == "" {
			return nil
		}
		docs, problems := manifest.Parse([]byte(text), manifest.Limits{})
		if len(docs) != 1 || len(problems) > 0 {
			t.Fatalf("%q: %v", text, problems)
		}
		return docs[0]
	}
	for _, tt := range []struct{ before, after, want string }{
		{"{ingress: {enabled: true}}", "{ingress: {enabled: false}}", "ingress"},
		{"{networkPolicy: {ingress: []}}", "{networkPolicy: {ingress: [{}]}}", "networkPolicy"}, // an empty item may match everything
		{"{extra: [{apiVersion: v1, kind: HTTPRoute, a: 1}]}", "{extra: [{apiVersion: v1, kind: HTTPRoute, a: 2}]}", "HTTPRoute"},
		{"{route: [{a: 1}]}", "{route: [{a: 1}, {}]}", "route"},
		{"{ingress: {enabled: false, hosts: [a]}}", "{ingress: {enabled: false, hosts: [b]}}", ""},
		{"{a: 1}", "{a: 1, ingress: {enabled: false}}", "ingress"}, // the chart's default may be on
		{"{a: 1, route: {enabled: false}}", "{a: 1}", "route"},
		{"{broker: {}}", "{broker: {networkPolicy: {enabled: false}}}", "networkPolicy"},
		{"{}", "{httpRoute: {main: {enabled: false}}}", "httpRoute"},
		{"{}", "{api: {enabled: false, gateway: {name: a}}}", "gateway"},
		{"{}", "{api: {enabled: false, port: 80}}", ""},
		{"", "{ingress: {enabled: false}}", ""}, // the whole release is new
		{"{ingress: {enabled: false, tls: {enabled: false}}}", "{ingress: {enabled: false}}", ""},
		{"{extra: []}", "{extra: [{ingress: {enabled: false}}]}", ""},
		{"{oidc: {enabled: true}}", "{oidc: {enabled: false}}", "oidc"}, // who may send requests
		{"{ports: {web: {redirections: {to: a}}}}", "{ports: {web: {}}}", "redirections"},
		{"{env: {APP_HOSTNAME: a}}", "{env: {APP_HOSTNAME: b}}", ""},
		{"{DB_HOSTNAME: a}", "{DB_HOSTNAME: b}", ""},
		{"{hostname: a}", "{hostname: b}", "hostname"},
		{"{gateway: {resources: {cpu: 1}}}", "{gateway: {resources: {cpu: 2}}}", ""},
		{"{gateway: {listeners: [a]}}", "{gateway: {listeners: [b]}}", "listeners"},
		{"", "{fullnameOverride: logs}", ""},
		{"{fullnameOverride: logs}", "{server: {fullnameOverride: logs}}", "fullnameOverride"},
		{"{session: {redis: {host: a}}}", "{session: {redis: {host: b}}}", ""},
		{"{databases: [{name: a, host: a}]}", "{databases: [{name: a, host: b}]}", ""},
		{"{externalDatabase: {host: a}, redisMaster: {host: a}, smtp-server: {host: a}}", "{externalDatabase: {host: b}, redisMaster: {host: b}, smtp-server: {host: b}}", ""},
		{"{databaseUI: {host: a}}", "{databaseUI: {host: b}}", "host"},
		{"{dbRoute: {host: a}}", "{dbRoute: {host: b}}", "host"},
		{"{shards: [{host: a, port: 5432, user: u, password: p}]}", "{shards: [{host: b, port: 5432, user: u, password: p}]}", ""},
		{"{server: {host: a, port: 80, user: u, path: /}}", "{server: {host: b, port: 80, user: u, path: /}}", "host"},
		{"{host: a, port: 80, user: u}", "{host: b, port: 80, user: u}", "host"},
		{"{server: {host: a, port: 80}}", "{server: {host: b, port: 80}}", "host"},
		{"{redis: {host: a, route: {hostnames: [a]}}}", "{redis: {host: b, route: {hostnames: [b]}}}", "hostnames"},
		{"{route: {mail: {hostnames: [a]}}}", "{route: {mail: {hostnames: [b]}}}", "hostnames"},
		{"{route: {app: {labels: {exposed: a}}}}", "{route: {app: {labels: {exposed: b}}}}", "route"},
		{"{pod: {hostAliases: [{hostnames: [a]}]}}", "{pod: {hostAliases: [{hostnames: [b]}]}}", ""},
		{"{pod: {labels: {ingress.home.arpa/x: allow}}}", "{pod: {labels: {}}}", ""},
		{"{route: {receiver: a}}", "{route: {receiver: b}}", ""},
		{"{route: {main: {hostnames: [a]}}}", "{route: {main: {hostnames: [b]}}}", "hostnames"},
		{"{autoDirectNodeRoutes: true}", "{autoDirectNodeRoutes: false}", ""},
		{"{socketLB: {hostNamespaceOnly: true}}", "{socketLB: {hostNamespaceOnly: false}}", ""},
	} {
		if got := strings.Join(loader.TrafficIn(value(tt.before), value(tt.after)), " "); got != tt.want {
			t.Errorf("%s to %s: got %q, want %q", tt.before, tt.after, got, tt.want)
		}
	}
}

// A file of many lines that all change must not be walked once for each of them: this took
// minutes.
func TestTrafficAtOfALongFile(t *testing.T) {
	text := []byte("data:\n" + strings.Repeat("  key: value\n", 50_000))
	done := make(chan []string, 1)
	go func() { done <- loader.TrafficAt(text, func(int) bool { return true }, unknown) }()
	select {
	case got := <-done:
		if len(got) > 0 {
			t.Errorf("got %q", got)
		}
	case <-time.After(time.Minute):
		t.Fatal("50,000 lines took more than a minute")
	}
}

// FuzzTrafficAt: no text makes it fail, and lines that did not change say nothing.
func FuzzTrafficAt(f *testing.F) {
	f.Add("kind: HTTPRoute\nspec: {parentRefs: [{name: a}]}\n---\n- a:\n  - hosts: b\n", uint(2))
	f.Add("a:\n\t- x\n  '\":  {\n---", uint(1))
	f.Fuzz(func(t *testing.T, text string, line uint) {
		one := loader.TrafficAt([]byte(text), func(n int) bool { return uint(n) == line }, unknown)
		all := loader.TrafficAt([]byte(text), func(int) bool { return true }, unknown)
		for _, word := range one {
			if !slices.Contains(all, word) {
				t.Errorf("line %d says %q, and all lines do not: %q", line, word, all)
			}
		}
		if none := loader.TrafficAt([]byte(text), func(int) bool { return false }, unknown); len(none) > 0 {
			t.Errorf("nothing changed, and %q is said", none)
		}
	})
}
