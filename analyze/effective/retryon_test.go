package effective_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// The tables of the older policy attachment ("Interactions between defaults,
// overrides, and field values"). Each policy sets retryOn to its own title, so
// that a cell says what is to come out. "oldest" is a cell of two policies at
// one level: the first created wins, otherwise the first alphabetically.
const (
	emptyList = "Empty list"
	inFilter  = "Value in RetryFilter"
	oldest    = "oldest"
)

type retryTable struct {
	name string
	// value says that the RetryFilter has a value.
	value   bool
	columns [4]string
	rows    []retryRow
}

type retryRow struct {
	title string
	want  [4]string
}

// retryTables are the six tables; "" is the row or column without a policy.
var retryTables = []retryTable{
	{
		name: "overrides and defaults, empty list", value: false,
		columns: [4]string{"", "Namespace override", "Gateway override", "HTTPRoute override"},
		rows: []retryRow{
			{title: "", want: [4]string{emptyList, "Namespace override", "Gateway override", "HTTPRoute override"}},
			{title: "Namespace default", want: [4]string{"Namespace default", "Namespace override", "Gateway override", "HTTPRoute override"}},
			{title: "Gateway default", want: [4]string{"Gateway default", "Namespace override", "Gateway override", "HTTPRoute override"}},
			{title: "HTTPRoute default", want: [4]string{"HTTPRoute default", "Namespace override", "Gateway override", "HTTPRoute override"}},
		},
	},
	{
		name: "overrides and overrides, empty list", value: false,
		columns: [4]string{"", "Namespace override A", "Gateway override A", "HTTPRoute override A"},
		rows: []retryRow{
			{title: "", want: [4]string{emptyList, "Namespace override A", "Gateway override A", "HTTPRoute override A"}},
			{title: "Namespace override B", want: [4]string{"Namespace override B", oldest, "Namespace override B", "Namespace override B"}},
			{title: "Gateway override B", want: [4]string{"Gateway override B", "Namespace override A", oldest, "Gateway override B"}},
			{title: "HTTPRoute override B", want: [4]string{"HTTPRoute override B", "Namespace override A", "Gateway override A", oldest}},
		},
	},
	{
		name: "defaults and defaults, empty list", value: false,
		columns: [4]string{"", "Namespace default A", "Gateway default A", "HTTPRoute default A"},
		rows: []retryRow{
			{title: "", want: [4]string{emptyList, "Namespace default A", "Gateway default A", "HTTPRoute default A"}},
			{title: "Namespace default B", want: [4]string{"Namespace default B", oldest, "Gateway default A", "HTTPRoute default A"}},
			{title: "Gateway default B", want: [4]string{"Gateway default B", "Gateway default B", oldest, "HTTPRoute default A"}},
			{title: "HTTPRoute default B", want: [4]string{"HTTPRoute default B", "HTTPRoute default B", "HTTPRoute default B", oldest}},
		},
	},
	{
		name: "overrides and defaults, value in RetryFilter", value: true,
		columns: [4]string{"", "Namespace override", "Gateway override", "HTTPRoute override"},
		rows: []retryRow{
			{title: "", want: [4]string{inFilter, "Namespace override", "Gateway override", "HTTPRoute override"}},
			{title: "Namespace default", want: [4]string{inFilter, "Namespace override", "Gateway override", "HTTPRoute override"}},
			{title: "Gateway default", want: [4]string{inFilter, "Namespace override", "Gateway override", "HTTPRoute override"}},
			{title: "HTTPRoute default", want: [4]string{inFilter, "Namespace override", "Gateway override", "HTTPRoute override"}},
		},
	},
	{
		name: "overrides and overrides, value in RetryFilter", value: true,
		columns: [4]string{"", "Namespace override A", "Gateway override A", "HTTPRoute override A"},
		rows: []retryRow{
			{title: "", want: [4]string{inFilter, "Namespace override A", "Gateway override A", "HTTPRoute override A"}},
			{title: "Namespace override B", want: [4]string{"Namespace override B", oldest, "Namespace override B", "Namespace override B"}},
			{title: "Gateway override B", want: [4]string{"Gateway override B", "Namespace override A", oldest, "Gateway override B"}},
			{title: "HTTPRoute override B", want: [4]string{"HTTPRoute override B", "Namespace override A", "Gateway override A", oldest}},
		},
	},
	{
		name: "defaults and defaults, value in RetryFilter", value: true,
		columns: [4]string{"", "Namespace default A", "Gateway default A", "HTTPRoute default A"},
		rows: []retryRow{
			{title: "", want: [4]string{inFilter, inFilter, inFilter, inFilter}},
			{title: "Namespace default B", want: [4]string{inFilter, inFilter, inFilter, inFilter}},
			{title: "Gateway default B", want: [4]string{inFilter, inFilter, inFilter, inFilter}},
			{title: "HTTPRoute default B", want: [4]string{inFilter, inFilter, inFilter, inFilter}},
		},
	},
}

const retryOnKind = `
- {profile: gep-older, group: networking.example.io, kind: RetryOnPolicy,
   levels: ["Namespace@Gateway", Gateway, Route], effective: ["Route:rule"],
   into: [{path: retryOn, object: retry.retryOn, each: filters, emptyIsUnset: true}]}
`

// retryScene has a Gateway in appns and a route in a namespace of its own, or
// in appns, too.
func retryScene(t *testing.T, routeNamespace, filters string, policies ...string) *scene {
	t.Helper()
	return stage(t, retryOnKind, fmt.Sprintf(`
{apiVersion: v1, kind: Namespace, metadata: {name: appns}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g, namespace: appns},
 spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r, namespace: %s},
 spec: {parentRefs: [{name: g, namespace: appns}], rules: [{name: only, filters: %s}]}}
`, routeNamespace, filters), strings.Join(policies, "\n---\n"))
}

// retryPolicy writes the policy of a title such as "Gateway override A".
func retryPolicy(title, routeNamespace, name, created string) string {
	words := strings.Fields(title)
	target, namespace := `{group: "", kind: Namespace, name: appns}`, "appns"
	switch words[0] {
	case "Gateway":
		target = "{group: gateway.networking.k8s.io, kind: Gateway, name: g}"
	case "HTTPRoute":
		target, namespace = "{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}", routeNamespace
	}
	return fmt.Sprintf(`
{apiVersion: networking.example.io/v1alpha1, kind: RetryOnPolicy, metadata: {name: %s, namespace: %s, creationTimestamp: %q},
 spec: {targetRef: %s, %ss: {retryOn: [%q]}}}`, name, namespace, created, target, words[1], title)
}

const (
	early = "2021-07-15T01:02:03Z"
	late  = "2021-07-15T01:02:04Z"
)

func TestRetryOnPolicyTables(t *testing.T) {
	for _, table := range retryTables {
		for _, row := range table.rows {
			for i, want := range row.want {
				column := table.columns[i]
				for _, namespace := range []string{"bakers", "appns"} {
					name := fmt.Sprintf("%s/%s × %s/%s", table.name, or(row.title, "none"), or(column, "none"), namespace)
					t.Run(name, func(t *testing.T) { retryCell(t, table.value, namespace, row.title, column, want) })
				}
			}
		}
	}
}

func retryCell(t *testing.T, value bool, namespace, row, column, want string) {
	t.Helper()
	if want != oldest {
		checkRetry(t, value, namespace, want, written(column, namespace, "a", early), written(row, namespace, "b", early))
		return
	}
	checkRetry(t, value, namespace, column, written(column, namespace, "z", early), written(row, namespace, "b", late))
	checkRetry(t, value, namespace, row, written(column, namespace, "a", late), written(row, namespace, "z", early))
	checkRetry(t, value, namespace, column, written(column, namespace, "a", early), written(row, namespace, "b", early))
	checkRetry(t, value, namespace, row, written(column, namespace, "b", early), written(row, namespace, "a", early))
}

func written(title, namespace, name, created string) string {
	if title == "" {
		return ""
	}
	return retryPolicy(title, namespace, name, created)
}

// checkRetry looks at the one RetryFilter of the route: at what the policies
// make of it, or at its own value where no policy reaches it.
func checkRetry(t *testing.T, value bool, namespace, want string, policies ...string) {
	t.Helper()
	filter := "{type: Retry, retry: {retryOn: []}}"
	if value {
		filter = fmt.Sprintf("{type: Retry, retry: {retryOn: [%q]}}", inFilter)
	}
	none := strings.Join(policies, "") == ""
	if none {
		// There has to be some policy of the kind; this one is for another Gateway.
		policies = []string{strings.Replace(retryPolicy("Gateway override", "appns", "other", early), "name: g}", "name: h}", 1)}
	}
	s := retryScene(t, namespace, "["+filter+"]", policies...)
	got := s.spec("RetryOnPolicy", "g > r#only")
	text := fmt.Sprintf(`{"filters":[{"retry":{"retryOn":[%q]}}]}`, want)
	if none {
		text = ""
	}
	s.check(expect{name: fmt.Sprint(policies), got: got, want: text})
}

// Each item of the list is compared with the policy on its own, and a filter
// of another type gets no retry.
func TestRetryOnPolicyEachItem(t *testing.T) {
	filters := `[{type: Retry, retry: {retryOn: ["500"]}}, {type: RequestMirror}, {type: Retry, retry: {retryOn: []}}, {type: Retry, retry: {}}]`
	for direction, want := range map[string]string{
		"default":  `["500"] ["Gateway default"] ["Gateway default"]`,
		"override": `["Gateway override"] ["Gateway override"] ["Gateway override"]`,
	} {
		s := retryScene(t, "bakers", filters, retryPolicy("Gateway "+direction, "bakers", "a", early))
		var spec struct {
			Filters []struct {
				Retry struct{ RetryOn json.RawMessage }
			}
		}
		if err := json.Unmarshal([]byte(s.spec("RetryOnPolicy", "g > r#only")), &spec); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range spec.Filters {
			got = append(got, string(f.Retry.RetryOn))
		}
		s.check(expect{name: direction, got: strings.Join(got, " "), want: want})
	}
}

// A route that spells nothing and a route of another Gateway's Namespace: the
// Namespace above the Gateway counts, the route's own does not.
func TestRetryOnPolicyNamespaceIsTheGateways(t *testing.T) {
	onRoutes := strings.ReplaceAll(retryPolicy("Namespace override", "bakers", "a", early), "appns", "bakers")
	s := retryScene(t, "bakers", "[{type: Retry, retry: {}}]", onRoutes)
	if p := s.policy("RetryOnPolicy", "g > r#only"); p != nil {
		t.Errorf("a policy on the route's Namespace gives %s", s.spec("RetryOnPolicy", "g > r#only"))
	}
}

func or(text, byDefault string) string {
	if text == "" {
		return byDefault
	}
	return text
}
