package analyze_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

// caseRow is one place where the project of a case writes a status: for a parent,
// an ancestor or a listener, or of the object itself. What follows judges by the
// same rules as the program beside the cases.
type caseRow struct {
	Group, Kind, Namespace, Name         string
	ParentRef, Ancestor                  *caseReference
	Listener                             *string
	AttachedRoutes, AttachedListenerSets *int
	SupportedKinds                       []string
	Conditions                           []caseCondition
	ControllerName, Match                string
}

type caseReference struct {
	Group, Kind, Namespace, Name, SectionName string
	Port                                      int
}

// caseCondition is a condition; an empty status or reason is any.
type caseCondition struct{ Type, Status, Reason, Needs string }

func (c caseCondition) String() string { return c.Type + "=" + c.Status + "/" + c.Reason }

// writtenStatus is the part of gwplan's output that is judged, as JSON has it.
type writtenStatus struct {
	Name                                 string
	ParentRef, AncestorRef               caseReference
	Conditions                           []caseCondition
	AttachedRoutes, AttachedListenerSets int
	SupportedKinds                       []struct{ Kind string }
	Listeners, Parents, Ancestors        []writtenStatus
}

// judge holds the statuses of one case against the expected ones.
type judge struct {
	suite, name string
	written     map[caseReference]*writtenStatus
}

func newJudge(t testing.TB, suite, name string, list *plan.StatusList) judge {
	t.Helper()
	var items []struct {
		APIVersion string
		Kind       string
		Metadata   struct{ Namespace, Name string }
		Status     writtenStatus
	}
	if err := json.Unmarshal([]byte(jsonText(list.Items)), &items); err != nil {
		t.Fatal(err)
	}
	j := judge{suite: suite, name: name, written: map[caseReference]*writtenStatus{}}
	for i, o := range items {
		group := ""
		if strings.Contains(o.APIVersion, "/") {
			group = path.Dir(o.APIVersion)
		}
		j.written[caseObject(group, o.Kind, o.Metadata.Namespace, o.Metadata.Name)] = &items[i].Status
	}
	return j
}

// caseObject is an identity, with the API server's default namespace.
func caseObject(group, kind, namespace, name string) caseReference {
	if kind == "GatewayClass" || kind == "Namespace" {
		return caseReference{Group: group, Kind: kind, Name: name}
	}
	return caseReference{Group: group, Kind: kind, Namespace: cmp.Or(namespace, "default"), Name: name}
}

// in fills in what the API fills in for a reference.
func (r caseReference) in(namespace string) caseReference {
	r.Kind = cmp.Or(r.Kind, "Gateway")
	if r.Group == "" && r.Kind != "Service" {
		r.Group = gatewayGroup
	}
	full := caseObject(r.Group, r.Kind, cmp.Or(r.Namespace, namespace), r.Name)
	full.SectionName, full.Port = r.SectionName, r.Port
	return full
}

// whole is the referent without its section and port.
func (r caseReference) whole() caseReference {
	r.SectionName, r.Port = "", 0
	return r
}

func (r *caseRow) String() string {
	out := r.Kind + "/" + r.Namespace + "/" + r.Name
	switch {
	case r.Listener != nil:
		out += "#" + *r.Listener
	case r.ParentRef != nil:
		out += " below " + jsonText(r.ParentRef.in(r.Namespace))
	case r.Ancestor != nil:
		out += " for " + jsonText(r.Ancestor.in(r.Namespace))
	}
	return out
}

// outcome is the verdict on one row.
type outcome struct {
	// judged rows have something left that manifests decide; telling ones expect
	// something else than that all is well.
	judged, telling bool
	wrong           []string
}

func (j judge) row(r *caseRow) outcome {
	if j.undecidable(r) {
		return outcome{}
	}
	want := *r
	want.Conditions = slices.DeleteFunc(slices.Clone(r.Conditions), func(c caseCondition) bool { return j.undecidableCondition(r, c) })
	if len(want.Conditions) == 0 && r.AttachedRoutes == nil && r.SupportedKinds == nil && r.AttachedListenerSets == nil {
		return outcome{}
	}
	return outcome{judged: true, telling: slices.ContainsFunc(want.Conditions, caseCondition.telling), wrong: j.differences(&want, r)}
}

func (c caseCondition) telling() bool {
	switch c.Type {
	case "Accepted", "ResolvedRefs", "Attached":
		return c.Status == "False"
	}
	return c.Status == "True" && slices.Contains(badWhenTrue(), c.Type)
}

// differences are those of the candidate that is closest to a row; all holds the
// conditions that are not judged, too.
func (j judge) differences(want, all *caseRow) []string {
	status := j.written[caseObject(want.Group, want.Kind, want.Namespace, want.Name)]
	switch {
	case status == nil:
		return []string{"there is no such object"}
	case want.Match == "no-accepted-parent":
		for _, p := range status.Parents {
			if verdict(p.Conditions)["Accepted"].Status != "False" {
				return []string{"there is an accepted parent"}
			}
		}
		return nil
	}
	found := want.candidates(status)
	if len(found) == 0 {
		return []string{"there is no such status"}
	}
	if want.Match == "some" {
		return j.someDifferences(want, found)
	}
	var least []string
	for i, part := range found {
		if wrong := j.partDifferences(want, all, part); i == 0 || len(wrong) < len(least) {
			least = wrong
		}
	}
	return least
}

// candidates are the parts of a status that a row speaks of.
func (r *caseRow) candidates(s *writtenStatus) []writtenStatus {
	switch {
	case r.Listener != nil:
		return filtered(s.Listeners, func(l writtenStatus) bool { return l.Name == *r.Listener })
	case r.ParentRef != nil:
		return filtered(s.Parents, func(p writtenStatus) bool { return r.means(*r.ParentRef, p.ParentRef) })
	case r.Ancestor != nil:
		return filtered(s.Ancestors, func(a writtenStatus) bool { return r.means(*r.Ancestor, a.AncestorRef) })
	}
	return []writtenStatus{*s}
}

func filtered(list []writtenStatus, keep func(writtenStatus) bool) []writtenStatus {
	return slices.DeleteFunc(slices.Clone(list), func(s writtenStatus) bool { return !keep(s) })
}

// means compares references; some match in any section and port.
func (r *caseRow) means(want, got caseReference) bool {
	want, got = want.in(r.Namespace), got.in(r.Namespace)
	if r.Match == "some" {
		return want.whole() == got.whole()
	}
	return want == got
}

// someDifferences are conditions that none of the parts has.
func (j judge) someDifferences(want *caseRow, found []writtenStatus) (wrong []string) {
	for _, c := range want.Conditions {
		if !slices.ContainsFunc(found, func(s writtenStatus) bool { return j.same(c, verdict(s.Conditions)) }) {
			wrong = append(wrong, fmt.Sprintf("no parent has %s", c))
		}
	}
	return wrong
}

func (j judge) partDifferences(want, all *caseRow, part writtenStatus) (wrong []string) {
	got := verdict(part.Conditions)
	for _, c := range want.Conditions {
		if !j.same(c, got) {
			wrong = append(wrong, fmt.Sprintf("got %s, want %s", got[c.Type], c))
		}
	}
	for _, bad := range badWhenTrue() {
		_, named := verdict(all.Conditions)[bad]
		if j.full() && !named && got[bad].Status == "True" {
			wrong = append(wrong, fmt.Sprintf("got %s, want none", got[bad]))
		}
	}
	for _, count := range []struct {
		of   string
		want *int
		got  int
	}{
		{"attachedRoutes", want.AttachedRoutes, part.AttachedRoutes},
		{"attachedListenerSets", want.AttachedListenerSets, part.AttachedListenerSets},
	} {
		if count.want != nil && *count.want != count.got {
			wrong = append(wrong, fmt.Sprintf("%s: got %d, want %d", count.of, count.got, *count.want))
		}
	}
	if want.SupportedKinds != nil {
		wrong = append(wrong, j.kindDifferences(want.SupportedKinds, part)...)
	}
	return wrong
}

// kindDifferences compares the kinds of the API alone: implementations have more.
func (j judge) kindDifferences(want []string, part writtenStatus) []string {
	routes := []string{"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"}
	wanted, got := map[string]bool{}, map[string]bool{}
	for _, k := range want {
		wanted[k] = true
	}
	for _, k := range part.SupportedKinds {
		got[k.Kind] = true
	}
	for _, k := range routes {
		// Conformance tests say which kinds are there at least, or that none is.
		more := !j.full() && len(want) > 0
		if wanted[k] && !got[k] || got[k] && !wanted[k] && !more {
			return []string{fmt.Sprintf("supportedKinds: got %v, want %v", part.SupportedKinds, want)}
		}
	}
	return nil
}

func verdict(conditions []caseCondition) map[string]caseCondition {
	out := map[string]caseCondition{}
	for _, c := range conditions {
		out[c.Type] = c
	}
	return out
}

// same compares one condition. Absent is as good as false where controllers write
// both.
func (j judge) same(want caseCondition, all map[string]caseCondition) bool {
	got, ok := all[want.Type]
	switch {
	case !ok:
		return want.Status == "False" && slices.Contains([]string{"Conflicted", "Overridden", "PartiallyInvalid", "OverlappingTLSConfig"}, want.Type)
	case want.Status != "" && want.Status != got.Status:
		return false
	case want.Reason == "" || want.Reason == got.Reason:
		return true
	}
	// agentgateway's other names for the same verdict.
	switch want.String() {
	case "Accepted=True/Valid":
		return j.suite == "agentgateway" && got.Reason == "Accepted"
	case "Attached=True/Attached":
		return j.suite == "agentgateway" && (got.Reason == "Accepted" || got.Reason == "")
	}
	return false
}

// badWhenTrue are types that must be expected where they are true, if a suite
// expects whole statuses.
func badWhenTrue() []string {
	return []string{"Conflicted", "Overridden", "Merged", "PartiallyInvalid"}
}

// full says whether the suite expects whole statuses.
func (j judge) full() bool { return j.suite != "gateway-api-conformance" }

// undecidable says whether a row as a whole is not judged.
func (j judge) undecidable(r *caseRow) bool {
	controllers := map[string][]string{
		"envoy-gateway":     {"gateway.envoyproxy.io/gatewayclass-controller"},
		"envoy-gateway-ext": {"gateway.envoyproxy.io/gatewayclass-controller"},
		"istio":             {"istio.io/gateway-controller", "istio.io/mesh-controller"},
		"agentgateway":      {"agentgateway.dev/agentgateway"},
	}[j.suite]
	if controllers != nil && r.ControllerName != "" && !slices.Contains(controllers, r.ControllerName) {
		return true // carried over from the input
	}
	if r.Ancestor != nil && r.Ancestor.Name == "StatusSummary" {
		return true // stands for no ancestor at all
	}
	return slices.ContainsFunc(undecidable, func(u undecided) bool {
		return u.condition == caseCondition{} && u.fits(j, r)
	})
}

func (j judge) undecidableCondition(r *caseRow, c caseCondition) bool {
	switch c.Type {
	case "Programmed", "Ready", "AddressesAssigned", "BackendsAvailable", "Warning", "Aggregated", "RouteRulesOverlap", "dummy":
		return true // of a running system, or bookkeeping
	}
	return c.Needs == "content" || slices.ContainsFunc(undecidable, func(u undecided) bool {
		return u.condition != caseCondition{} && u.fits(j, r) &&
			like(u.condition.Type, c.Type) && like(u.condition.Status, c.Status) && like(u.condition.Reason, c.Reason)
	})
}

// undecided is what the manifests of a case do not decide: all rows of a kind, or
// one condition in them. Texts are patterns, and empty ones fit all.
type undecided struct {
	suite, name, kind string
	condition         caseCondition
}

func (u undecided) fits(j judge, r *caseRow) bool {
	return like(u.suite, j.suite) && like(u.name, j.name) && like(u.kind, r.Kind)
}

func like(pattern, text string) bool {
	fits, err := path.Match(cmp.Or(pattern, "*"), text)
	return err == nil && fits
}

var undecidable = []undecided{
	{suite: "envoy-gateway*", name: "*feature-disabled*"}, // flags of the controller
	{suite: "envoy-gateway*", name: "sds*"},
	{suite: "envoy-gateway*", kind: "EnvoyProxy"}, // kinds of the implementation
	{suite: "envoy-gateway*", kind: "Backend"},
	{suite: "envoy-gateway*", name: "", kind: "*Polic*", condition: caseCondition{Type: "Accepted", Status: "False", Reason: "Invalid"}},
	{suite: "envoy-gateway*", name: "", kind: "*Polic*", condition: caseCondition{Type: "Accepted", Status: "False", Reason: "Disabled"}},
	{suite: "envoy-gateway*", name: "", kind: "", condition: caseCondition{Status: "False", Reason: "InvalidParameters"}},
	{suite: "envoy-gateway*", name: "", kind: "Gateway", condition: caseCondition{Type: "Accepted", Status: "False", Reason: "UnsupportedAddress"}},
	{suite: "envoy-gateway*", name: "", kind: "*Route", condition: caseCondition{Type: "Accepted", Status: "False", Reason: "UnsupportedValue"}},
	{suite: "envoy-gateway*", name: "", kind: "*Route", condition: caseCondition{Type: "Accepted", Status: "False", Reason: "InvalidRule"}},
	{suite: "envoy-gateway*", name: "", kind: "*Route", condition: caseCondition{Type: "PartiallyInvalid", Status: "True"}},
	{suite: "envoy-gateway*", name: "", kind: "*Route", condition: caseCondition{Type: "ResolvedRefs", Status: "False", Reason: "Unsupported*"}},
	{suite: "envoy-gateway*", name: "", kind: "*Route", condition: caseCondition{Type: "ResolvedRefs", Status: "False", Reason: "Invalid*Backend*"}},
	{suite: "envoy-gateway*", name: "", kind: "*Route", condition: caseCondition{Type: "ResolvedRefs", Status: "False", Reason: "InvalidAddress"}},
	{suite: "envoy-gateway*", name: "", kind: "", condition: caseCondition{Type: "OverlappingTLSConfig", Reason: "OverlappingCertificates"}},
	{suite: "envoy-gateway*", name: "", kind: "", condition: caseCondition{Type: "OverlappingTLSConfig", Reason: "SDS*"}},
	{suite: "istio", name: "", kind: "Gateway", condition: caseCondition{Type: "Accepted", Status: "False", Reason: "UnsupportedAddress"}},
	{suite: "agentgateway", kind: "AgentgatewayBackend"},
	{suite: "agentgateway", name: "", kind: "AgentgatewayPolicy", condition: caseCondition{Type: "Accepted", Reason: "PartiallyValid"}},
	{suite: "agentgateway", name: "", kind: "", condition: caseCondition{Type: "Accepted", Status: "False", Reason: "Invalid"}},
	{suite: "agentgateway", name: "", kind: "*Route", condition: caseCondition{Type: "ResolvedRefs", Status: "False", Reason: "ModelRoutingConflict"}},
}

// TestJudge gives the judge statuses of which it must accept some and refuse the
// others: where no cases are at hand, and because it is lenient in places.
func TestJudge(t *testing.T) {
	const (
		route    = `{"group": "gateway.networking.k8s.io", "kind": "HTTPRoute", "name": "r", `
		accepted = route + `"parentRef": {"name": "g"}, "conditions": [{"type": "Accepted", "status": "True", "reason": "Accepted"}]}`
		refused  = route + `"parentRef": {"name": "g"}, "conditions": [{"type": "Accepted", "status": "False", "reason": "NoMatchingParent"}]}`
		none     = route + `"match": "no-accepted-parent", "conditions": [{"type": "Accepted", "status": "False", "reason": ""}]}`
		some     = route + `"match": "some", "parentRef": {"name": "g"}, "conditions": [{"type": "Accepted", "status": "False", "reason": ""}]}`
		apart    = route + `"parentRef": {"name": "g"}, "conditions": [{"type": "Conflicted", "status": "False", "reason": "NoConflicts"}]}`
		running  = route + `"parentRef": {"name": "g"}, "conditions": [{"type": "Programmed", "status": "True", "reason": "Programmed"}]}`
		invalid  = route + `"parentRef": {"name": "g"}, "conditions": [{"type": "Accepted", "status": "False", "reason": "InvalidRule"}]}`
		listener = `{"group": "gateway.networking.k8s.io", "kind": "Gateway", "name": "g", "listener": "l", "conditions": [], `
		valid    = `{"group": "agentgateway.dev", "kind": "P", "name": "p", "conditions": [{"type": "Accepted", "status": "True", "reason": "Valid"}]}`

		parent      = `{"parents": [{"parentRef": {"group": "gateway.networking.k8s.io", "kind": "Gateway", "namespace": "default", "name": "g"%s}, "conditions": [%s]}]}`
		isAccepted  = `{"type": "Accepted", "status": "True", "reason": "Accepted"}`
		isRefused   = `{"type": "Accepted", "status": "False", "reason": "NotAllowedByListeners"}`
		isDisjoint  = `{"type": "Accepted", "status": "True", "reason": "Accepted"}, {"type": "Conflicted", "status": "True", "reason": "HostnameConflict"}`
		inSection   = `, "sectionName": "l"`
		isListening = `{"listeners": [{"name": "l", "attachedRoutes": 1, "supportedKinds": [{"kind": "HTTPRoute"}, {"kind": "OtherRoute"}, {"kind": "GRPCRoute"}], "conditions": []}]}`
	)
	below := func(section, conditions string) string { return fmt.Sprintf(parent, section, conditions) }
	for _, c := range []struct{ suite, row, status, want string }{
		{"istio", accepted, below("", isAccepted), "right"},
		{"istio", accepted, below("", isRefused), "wrong"},
		{"istio", accepted, below("", isDisjoint), "wrong"},
		{"gateway-api-conformance", accepted, below("", isDisjoint), "right"},
		{"istio", accepted, below(inSection, isAccepted), "wrong"},
		{"istio", accepted, `{}`, "wrong"},
		{"istio", refused, below("", isRefused), "telling, wrong"},
		{"istio", none, below("", isRefused), "telling, right"},
		{"istio", none, `{}`, "telling, right"},
		{"istio", none, below("", isAccepted), "telling, wrong"},
		{"istio", some, below(inSection, isRefused), "telling, right"},
		{"istio", some, below(inSection, isAccepted), "telling, wrong"},
		{"istio", apart, below("", isAccepted), "right"},
		{"istio", apart, below("", isDisjoint), "wrong"},
		{"istio", running, below("", isAccepted), "not judged"},
		{"istio", invalid, below("", isAccepted), "telling, wrong"},
		{"envoy-gateway", invalid, below("", isAccepted), "not judged"},
		{"istio", listener + `"attachedRoutes": 1}`, isListening, "right"},
		{"istio", listener + `"attachedRoutes": 0}`, isListening, "wrong"},
		{"istio", listener + `"supportedKinds": ["GRPCRoute", "HTTPRoute"]}`, isListening, "right"},
		{"istio", listener + `"supportedKinds": ["HTTPRoute"]}`, isListening, "wrong"},
		{"gateway-api-conformance", listener + `"supportedKinds": ["HTTPRoute"]}`, isListening, "right"},
		{"gateway-api-conformance", listener + `"supportedKinds": ["TLSRoute"]}`, isListening, "wrong"},
		{"gateway-api-conformance", listener + `"supportedKinds": []}`, isListening, "wrong"},
		{"agentgateway", valid, `{"conditions": [` + isAccepted + `]}`, "right"},
		{"istio", valid, `{"conditions": [` + isAccepted + `]}`, "wrong"},
	} {
		var row caseRow
		var status writtenStatus
		if err := errors.Join(json.Unmarshal([]byte(c.row), &row), json.Unmarshal([]byte(c.status), &status)); err != nil {
			t.Fatal(err)
		}
		j := judge{suite: c.suite, name: "a-case", written: map[caseReference]*writtenStatus{caseObject(row.Group, row.Kind, "", row.Name): &status}}
		v := j.row(&row)
		got := map[bool]string{true: "right", false: "wrong"}[len(v.wrong) == 0]
		if v.telling {
			got = "telling, " + got
		}
		if !v.judged {
			got = "not judged"
		}
		if got != c.want {
			t.Errorf("%s\nagainst %s: %s, want %s", c.row, c.status, got, c.want)
		}
	}
}
