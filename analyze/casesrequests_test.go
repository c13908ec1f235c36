package analyze_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/analyze/traffic"
)

const requestCases = "../../shared/cases/gateway-api-conformance"

// assertion is one call of a conformance test.
type assertion struct {
	Call string
	// GW and GwNN name a Gateway.
	GW, GwNN *struct{ Namespace, Name string }
	Expected struct {
		Request   map[string]json.RawMessage
		Status    any
		Backend   any
		Namespace string
	}
	UseTLS bool
}

// TestConformanceRequests traces the requests of Gateway API's conformance tests. Each goes to the
// Gateway that its test names last.
func TestConformanceRequests(t *testing.T) {
	dirs, err := filepath.Glob(requestCases + "/*")
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) == 0 {
		absent(t, requestCases)
		return
	}
	judged, right := 0, 0
	for _, dir := range dirs {
		name := filepath.Base(dir)
		var calls []assertion
		if err := json.Unmarshal([]byte(read(t, dir, "assertions.json")), &calls); err != nil {
			t.Fatal(err)
		}
		o := options(t, "")
		o.Complete = true
		s := snapshot(".", file{name: "input.yaml", text: read(t, dir, "input.yaml")})
		gateway := ""
		for _, call := range calls {
			for _, named := range []*struct{ Namespace, Name string }{call.GW, call.GwNN} {
				if named != nil && named.Name != "" {
					gateway = named.Namespace + "/" + named.Name
				}
			}
			request, ok := requested(call)
			if !ok {
				continue
			}
			var ask traffic.Tracing
			ask.Requests = []*answer.Request{request}
			if gateway != "" {
				if ask.Gateway, err = selection.Parse("gateway/" + gateway); err != nil {
					t.Fatal(err)
				}
			}
			if slices.Contains(unjudgedRequests[name], request.Path) {
				continue
			}
			judged++
			answers := analyze.Trace(s, ask, o).Environments[0].Requests[0].Answers
			if wrong := wrongAnswer(call, answers); wrong != "" {
				t.Logf("%s: %s %v at %s: %s", name, request, request.Headers, gateway, wrong)
				continue
			}
			right++
		}
	}
	t.Logf("%d of %d requests are answered as expected", right, judged)
	if right*100 < judged*99 {
		t.Errorf("%d of %d requests are answered as expected", right, judged)
	}
}

// unjudgedRequests are the paths of requests whose answer is not in manifests: the pods behind a Service
// without a selector, and how long a backend takes.
var unjudgedRequests = map[string][]string{
	"HTTPRouteServiceTypes":          {"/manual-endpointslices", "/headless", "/headless-manual-endpointslices"},
	"HTTPRouteTimeoutBackendRequest": {"/backend-timeout"},
}

// requested makes the request of a call. It is false for calls without a request, or with one of which
// the case does not keep the fields.
func requested(call assertion) (*answer.Request, bool) {
	var r struct {
		Path, Host, Method string
		Headers            map[string]string
	}
	raw, err := json.Marshal(call.Expected.Request)
	if err != nil || json.Unmarshal(raw, &r) != nil || r.Path == "" || !strings.HasPrefix(call.Call, "http.") {
		return nil, false
	}
	var headers []string
	if r.Host != "" {
		headers = append(headers, "Host: "+r.Host) // it may hold a port that is not the Gateway's
	}
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		headers = append(headers, name+": "+r.Headers[name])
	}
	request, err := answer.ParseRequest("http://gateway.invalid"+r.Path, r.Method, headers)
	if err != nil {
		return nil, false
	}
	return request, true
}

// wrongAnswer says what is wrong with the answers to a call, or is empty.
func wrongAnswer(call assertion, answers []plan.Answer) string {
	a := answers[0]
	if len(answers) != 1 {
		return fmt.Sprintf("%d answers", len(answers))
	}
	if codes := statuses(call.Expected.Status); len(codes) > 0 && !slices.Contains(codes, status(a)) {
		return fmt.Sprintf("got %d, want %v", status(a), codes)
	}
	if backend, _ := call.Expected.Backend.(string); backend != "" {
		want := "Service/" + call.Expected.Namespace + "/" + backend + ":"
		if !slices.ContainsFunc(a.Backends, func(b plan.TraceBackend) bool { return strings.HasPrefix(b.Backend, want) }) {
			return fmt.Sprintf("got %v %s, want %s", a.Backends, a.Why, want)
		}
	}
	return ""
}

// status is what a client gets from a healthy backend, or the status of the Gateway.
func status(a plan.Answer) int {
	switch {
	case a.Status != 0:
		return a.Status
	case a.Outcome == plan.ByBackend:
		return 200
	}
	return 0
}

func statuses(v any) []int {
	switch v := v.(type) {
	case float64:
		return []int{int(v)}
	case []any:
		var out []int
		for _, one := range v {
			if n, ok := one.(float64); ok {
				out = append(out, int(n))
			}
		}
		return out
	}
	return nil
}
