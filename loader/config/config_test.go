package config_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/config"
)

const file = ".gwplan.yaml"

// full uses every key.
const full = `# a comment
environments:
- name: prod
  path: ./clusters/prod/
- name: "on"
  paths: ["clusters/{eu,us}-stage", "apps/**"]
kinds:
- group: example.com
  kind: RetryPolicy
  profile: gep
  levels: null
  shapes: {v1: {target: {refs: [{path: targetRef, form: one, deprecated: yes}]}}}
complete: true
ages:
  HTTPRoute/shop/pay: 2024-01-02T03:04:05+01:00
  "RetryPolicy.example.com/shop/slow": "2024-01-02T03:04:05.5Z"
  GatewayClass/public: 2024-01-02T03:04:05Z
namespaces:
  shop: {labels: {team: a, gwplan.dev/paid: "true"}}
  bare: {}
controllers: {public: gateway.envoyproxy.io/gatewayclass-controller, eu.inner: "x/Y/-._~%!$&'()*+,;=:9"}
roots: {istio: mesh-config}
external: ["Service/shop/pay", Cluster.example.com/eu]
rules: {unattached-policy: warning, kind-assumed: off, declared-twice: "off"}
ignore:
- {rule: unattached-policy, target: "RetryPolicy.example.com/shop/*", reason: " elsewhere ", expires: 2030-12-31}
- rule: "*"
  reason: >-
    nobody reads
    this
`

func parse(t *testing.T, text string) *config.Config {
	t.Helper()
	c, err := config.Parse(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func at(line, column int) loader.Position {
	return loader.Position{File: file, Line: line, Column: column}
}

func TestParse(t *testing.T) {
	want := &config.Config{
		File: file,
		Environments: []config.Environment{
			{Name: "prod", Paths: []string{"clusters/prod"}, Position: at(3, 3)},
			{Name: "on", Paths: []string{"clusters/{eu,us}-stage", "apps/**"}, Position: at(5, 3)},
		},
		Kinds: []map[string]any{{
			"group": "example.com", "kind": "RetryPolicy", "profile": "gep", "levels": nil,
			"shapes": map[string]any{"v1": map[string]any{"target": map[string]any{
				"refs": []any{map[string]any{"path": "targetRef", "form": "one", "deprecated": true}},
			}}},
		}},
		Complete: true,
		Ages: map[loader.ID]time.Time{
			{Group: "gateway.networking.k8s.io", Kind: "HTTPRoute", Namespace: "shop", Name: "pay"}: time.Date(2024, 1, 2, 2, 4, 5, 0, time.UTC),
			{Group: "example.com", Kind: "RetryPolicy", Namespace: "shop", Name: "slow"}:            time.Date(2024, 1, 2, 3, 4, 5, 5e8, time.UTC),
			{Group: "gateway.networking.k8s.io", Kind: "GatewayClass", Name: "public"}:              time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC),
		},
		Namespaces: map[string]map[string]string{"shop": {"team": "a", "gwplan.dev/paid": "true"}, "bare": {}},
		Controllers: map[string]string{
			"public": "gateway.envoyproxy.io/gatewayclass-controller", "eu.inner": "x/Y/-._~%!$&'()*+,;=:9",
		},
		Roots:    map[string]string{"istio": "mesh-config"},
		External: []loader.ID{{Kind: "Service", Namespace: "shop", Name: "pay"}, {Group: "example.com", Kind: "Cluster", Name: "eu"}},
		Rules:    map[string]string{"unattached-policy": "warning", "kind-assumed": "off", "declared-twice": "off"},
		Ignore: []config.Ignore{
			{Rule: "unattached-policy", Target: "RetryPolicy.example.com/shop/*", Reason: "elsewhere", Expires: time.Date(2030, 12, 31, 0, 0, 0, 0, time.UTC), Position: at(26, 3)},
			{Rule: "*", Reason: "nobody reads this", Position: at(27, 3)},
		},
	}
	if diff := cmp.Diff(want, parse(t, full), cmpopts.IgnoreUnexported(config.Config{})); diff != "" {
		t.Error(diff)
	}
}

func TestParseNothing(t *testing.T) {
	for name, text := range map[string]string{
		"no bytes": "", "comments": "# one\n\n# two\n", "a mark": "---\n", "null": "~\n", "braces": "{}\n", "a BOM": "\ufeff",
		"keys without values": "environments:\nkinds:\nages:\nnamespaces:\ncontrollers:\nexternal:\nrules:\nignore:\n",
	} {
		if diff := cmp.Diff(&config.Config{File: file}, parse(t, text), cmpopts.IgnoreUnexported(config.Config{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestJSONIsYAML(t *testing.T) {
	c := parse(t, `{"complete": true, "rules": {"kind-assumed": "off"}}`)
	if !c.Complete || c.Rules["kind-assumed"] != "off" {
		t.Errorf("%+v", c)
	}
}

func TestPosition(t *testing.T) {
	c := parse(t, full)
	for path, want := range map[string]loader.Position{
		"":                                       at(1, 1),
		"environments":                           at(2, 1),
		"environments 0 path":                    at(4, 3),
		"environments 1 paths 1":                 at(6, 37),
		"kinds 0":                                at(8, 3),
		"kinds 0 kind":                           at(9, 3),
		"kinds 1":                                at(7, 1),
		"kinds x":                                at(7, 1),
		"complete":                               at(13, 1),
		"ages GatewayClass/public":               at(17, 3),
		"ages RetryPolicy.example.com/shop/slow": at(16, 3),
		"namespaces shop labels gwplan.dev/paid": at(19, 28),
		"controllers eu.inner":                   at(21, 70),
		"rules kind-assumed":                     at(24, 37),
		"rules no-such-rule":                     at(24, 1),
		"ignore 1 reason":                        at(28, 3),
		"nothing":                                at(1, 1),
	} {
		if got := c.Position(strings.Fields(path)...); got != want {
			t.Errorf("%q: %v, want %v", path, got, want)
		}
	}
	if got := parse(t, "").Position("rules", "x"); got != at(1, 1) {
		t.Errorf("empty file: %v", got)
	}
}

// A day counts to its end.
func TestExpired(t *testing.T) {
	day := time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		expires time.Time
		now     string
		want    bool
	}{
		{time.Time{}, "2999-01-01T00:00:00Z", false},
		{day, "2026-02-27T12:00:00Z", false},
		{day, "2026-02-28T23:59:59Z", false},
		{day, "2026-03-01T00:00:00Z", true},
		{day, "2026-03-01T00:30:00+01:00", false},
		{day, "2027-01-01T00:00:00Z", true},
	} {
		now, err := time.Parse(time.RFC3339, tt.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := (config.Ignore{Expires: tt.expires}).Expired(now); got != tt.want {
			t.Errorf("%v at %s: %v", tt.expires, tt.now, got)
		}
	}
}

func TestErrorsAs(t *testing.T) {
	_, err := config.Parse(file, []byte("complete: 1\nrule: {}\n"))
	var all config.Errors
	var first *config.Error
	if !errors.As(err, &all) || len(all) != 2 || !errors.As(err, &first) {
		t.Fatalf("%T %v", err, err)
	}
	want := config.Error{Position: at(1, 11), Message: "complete is a number, not a boolean", Hint: "write true or false"}
	if diff := cmp.Diff(want, *first); diff != "" {
		t.Error(diff)
	}
}

// What a hostile file costs is bounded, and so is what is said of it.
func TestBounds(t *testing.T) {
	deep := strings.Repeat("[", 60) + strings.Repeat("]", 60)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n" +
		"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n"
	for name, tt := range map[string]struct{ text, want string }{
		"large":    {strings.Repeat("#", 1<<20+1), "1:1: the file holds 1048577 bytes, over the limit of 1048576; shorten it"},
		"deep":     {"kinds: " + deep, "the document nests deeper than 50 levels"},
		"aliases":  {bomb, "the aliases of the document expand to more than 10000 nodes"},
		"mistakes": {"{" + manyKeys() + "}", "the file holds more than 100 mistakes; correct those above first"},
	} {
		_, err := config.Parse(file, []byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %.300v", name, err)
			continue
		}
		if n := strings.Count(err.Error(), "\n"); n > 100 {
			t.Errorf("%s: %d lines", name, n)
		}
	}
}

func manyKeys() string {
	var b strings.Builder
	for i := range 40_000 {
		b.WriteString("k" + strings.Repeat("x", i%7) + time.Duration(i).String() + ": 1, ")
	}
	return b.String()
}
