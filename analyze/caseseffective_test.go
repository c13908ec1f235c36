package analyze_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
)

// inForce is what another controller made of one rule of a route behind one
// listener.
type inForce struct {
	Listener string
	Route    struct{ Kind, Namespace, Name string }
	Rule     *int
	Policies []struct{ Kind, Namespace, Name string }
	// Security and EnvoyExtensions are there, be they empty, where a policy is.
	Security, EnvoyExtensions json.RawMessage
}

// effectiveCase is a case of Envoy Gateway with what is needed to judge it.
type effectiveCase struct {
	name    string
	entries []inForce
	// invalid are policies that are rejected for what they say: they are named and
	// yet have nothing in force; twice what is declared twice.
	invalid, twice map[string]bool
	// merging are the policies that take part though they may add nothing.
	merging map[string]bool
	rules   map[string][]*loader.Value
	ours    []plan.Effective
}

// TestEnvoyGatewayEffectiveCases compares which policy is in force on which rule
// behind which listener with Envoy Gateway's own translation.
func TestEnvoyGatewayEffectiveCases(t *testing.T) {
	o := options(t, "[]")
	o.Complete = true
	right, telling := 0, 0
	var wrong []string
	for _, suite := range []string{"envoy-gateway", "envoy-gateway-ext"} {
		for _, dir := range statusCases(t, suite) {
			c := readEffectiveCase(t, o, dir)
			for i := range c.entries {
				for _, v := range c.judge(&c.entries[i]) {
					if v.got == "" && v.want == "" || v.got != v.want && c.excused(v, &c.entries[i]) {
						continue
					}
					telling++
					if v.got == v.want {
						right++
					} else {
						wrong = append(wrong, fmt.Sprintf("%s: %s %s: got %q, want %q", c.name, c.entries[i].Listener, v.kind, v.got, v.want))
					}
				}
			}
		}
	}
	if telling == 0 {
		absent(t, cases+"/envoy-gateway")
		return
	}
	t.Logf("%d of %d right", right, telling)
	if right*100 < telling*98 {
		t.Errorf("%d of %d right:\n%s", right, telling, strings.Join(wrong, "\n"))
	}
}

func readEffectiveCase(t *testing.T, o analyze.Options, dir string) *effectiveCase {
	t.Helper()
	var want struct {
		Objects []struct {
			Kind, Namespace, Name string
			Conditions            []struct{ Type, Status, Reason string }
		}
		Effective []inForce
	}
	if err := json.Unmarshal([]byte(read(t, dir, "expected.json")), &want); err != nil {
		t.Fatal(err)
	}
	c := &effectiveCase{
		name: filepath.Base(dir), entries: want.Effective, rules: map[string][]*loader.Value{},
		invalid: map[string]bool{}, twice: map[string]bool{}, merging: map[string]bool{},
	}
	if len(c.entries) == 0 {
		return c
	}
	for _, row := range want.Objects {
		for _, condition := range row.Conditions {
			if condition.Type == "Accepted" && condition.Status == "False" && condition.Reason != "Conflicted" && condition.Reason != "TargetNotFound" {
				c.invalid[row.Kind+"/"+row.Namespace+"/"+row.Name] = true
			}
		}
	}
	s := rendered(t, o, read(t, dir, "input.yaml"))
	for _, env := range s.Environments {
		for _, object := range env.Objects {
			name := object.ID.Kind + "/" + object.ID.Namespace + "/" + object.ID.Name
			c.rules[name] = object.Spec().List("rules")
			c.merging[name] = object.Spec().Str("mergeType") != ""
		}
		for _, d := range env.Duplicates {
			c.twice[d.Kept.ID.Kind+"/"+d.Kept.ID.Namespace+"/"+d.Kept.ID.Name] = true
		}
	}
	for _, env := range analyze.ListEffective(s, selection.Selection{}, o).Environments {
		c.ours = append(c.ours, env.Effective...)
	}
	return c
}

// finding is what is in force by us and by the case; empty means nothing.
type finding struct{ kind, got, want string }

// judge compares one rule behind one listener. Of BackendTrafficPolicies the most
// specific one in force is named, of the others it shows that there is one.
func (c *effectiveCase) judge(e *inForce) []finding {
	traffic := finding{kind: "BackendTrafficPolicy", got: c.winner(e, "BackendTrafficPolicy")}
	for _, p := range e.Policies {
		if p.Kind == traffic.kind {
			traffic.want = p.Namespace + "/" + p.Name
		}
	}
	out := []finding{traffic}
	if e.Route.Kind != "HTTPRoute" && e.Route.Kind != "GRPCRoute" {
		return out // for others authorisation is written elsewhere
	}
	for kind, theirs := range map[string]json.RawMessage{"SecurityPolicy": e.Security, "EnvoyExtensionPolicy": e.EnvoyExtensions} {
		f := finding{kind: kind}
		if theirs != nil {
			f.want = "some"
		}
		if len(c.found(e, kind)) > 0 {
			f.got = "some"
		}
		out = append(out, f)
	}
	return out
}

// excused says what cannot be judged: an invalid policy, what is declared twice,
// and a TLSRoute or TCPRoute whose listeners share one list in the case.
func (c *effectiveCase) excused(f finding, e *inForce) bool {
	if e.Rule == nil && (e.Route.Kind == "TLSRoute" || e.Route.Kind == "TCPRoute") {
		return true
	}
	var names []string
	for _, p := range e.Policies {
		names = append(names, p.Kind+"/"+p.Namespace+"/"+p.Name)
	}
	for _, ours := range c.found(e, f.kind) {
		for _, p := range ours.Policies {
			_, name, _ := strings.Cut(p.Policy, "/")
			names = append(names, f.kind+"/"+name)
		}
	}
	return slices.ContainsFunc(names, func(n string) bool { return c.invalid[n] || c.twice[n] })
}

func (c *effectiveCase) winner(e *inForce, kind string) string {
	name := ""
	for _, ours := range c.found(e, kind) {
		for _, p := range ours.Policies {
			_, own, _ := strings.Cut(p.Policy, "/")
			if p.Enforcement != plan.Overridden || c.merging[kind+"/"+own] {
				name = own
			}
		}
	}
	return name
}

// found are our effective policies of a kind there. Some contexts of many are
// listed: then the target alone tells.
func (c *effectiveCase) found(e *inForce, kind string) []plan.Effective {
	route := e.Route.Kind + "/" + e.Route.Namespace + "/" + e.Route.Name
	rule := 0
	if e.Rule != nil {
		rule = *e.Rule
	}
	target := fmt.Sprintf("%s#rule[%d]", route, rule)
	if rules := c.rules[route]; rule < len(rules) && rules[rule].Str("name") != "" {
		target = route + "#" + rules[rule].Str("name")
	}
	parts := strings.Split(e.Listener, "/")
	n := len(parts)
	listener := fmt.Sprintf("Gateway/%s/%s#%s", parts[n-3], parts[n-2], parts[n-1])
	if n > 3 {
		listener = strings.Replace(listener, "Gateway", "ListenerSet", 1)
	}
	var exact, likely []plan.Effective
	for _, ours := range c.ours {
		if ours.PolicyKind.Kind != kind || ours.Target != target {
			continue
		}
		if slices.ContainsFunc(ours.Contexts, func(context []string) bool { return slices.Contains(context, listener) }) {
			exact = append(exact, ours)
		} else if ours.ContextCount > len(ours.Contexts) {
			likely = append(likely, ours)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return likely
}

// TestAgentgatewayTargetCases compares which policy acts on what, behind which
// Gateway, with what agentgateway's controller sends to its proxies. It sends
// policies of Gateways, ListenerSets and routes that do not exist, too; of
// backends it does not.
func TestAgentgatewayTargetCases(t *testing.T) {
	o := options(t, "[]")
	o.Complete = true
	right, all := 0, 0
	var wrong []string
	for _, dir := range statusCases(t, "agentgateway") {
		var want struct {
			Effective []struct {
				Policy  struct{ Kind, Namespace, Name string }
				Gateway struct{ Name, Namespace string }
				Target  map[string]map[string]any
			}
		}
		if err := json.Unmarshal([]byte(read(t, dir, "expected.json")), &want); err != nil {
			t.Fatal(err)
		}
		s := rendered(t, o, read(t, dir, "input.yaml"))
		theirs := map[string]bool{}
		for _, e := range want.Effective {
			if e.Policy.Kind != "AgentgatewayPolicy" {
				continue
			}
			for kind, target := range e.Target {
				theirs[fmt.Sprintf("%s/%s -> %s", e.Policy.Namespace, e.Policy.Name, sentTo(kind, target))] = true
			}
		}
		ours := map[string]bool{}
		for _, env := range analyze.ListPolicies(s, selection.Selection{}, o).Environments {
			for _, p := range env.Policies {
				for _, target := range p.Targets {
					line := p.Policy[strings.IndexByte(p.Policy, '/')+1:] + " -> " + target.Target
					ours[line] = target.Accepted == "true"
				}
			}
		}
		for line := range theirs {
			all++
			attached, declared := ours[line]
			if attached || declared && !strings.Contains(line, "Backend") && !strings.Contains(line, "Service") {
				right++
			} else {
				wrong = append(wrong, filepath.Base(dir)+": "+line+" is missing")
			}
		}
		for line, attached := range ours {
			if attached && !theirs[line] && len(theirs) > 0 {
				all++
				wrong = append(wrong, filepath.Base(dir)+": "+line+" is too much")
			}
		}
	}
	if all == 0 {
		absent(t, cases+"/agentgateway")
		return
	}
	t.Logf("%d of %d right", right, all)
	if right*100 < all*95 {
		t.Errorf("%d of %d right:\n%s", right, all, strings.Join(wrong, "\n"))
	}
}

// sentTo writes the target of a case as a node.
func sentTo(kind string, target map[string]any) string {
	word := func(key string) string { text, _ := target[key].(string); return text }
	name, section := word("name"), word("listener")+word("section")+word("routeRule")
	switch kind {
	case "gateway":
		kind = "Gateway"
	case "listenerSet":
		kind = "ListenerSet"
	case "route":
		kind = word("kind")
	case "backend":
		kind = "AgentgatewayBackend.agentgateway.dev"
	case "service":
		kind = "Service"
		if strings.Contains(word("hostname"), ".inference.") {
			kind = "InferencePool.inference.networking.k8s.io"
		}
		name, _, _ = strings.Cut(word("hostname"), ".")
		if port, ok := target["port"].(float64); ok {
			section = fmt.Sprint(port)
		}
	}
	node := kind + "/" + word("namespace") + "/" + name
	if section != "" {
		node += "#" + section
	}
	return node
}
