package outline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
)

// RequestsIn is a class of requests with the environments that have it. Gateway is set if another class has the same
// requests at another Gateway.
type RequestsIn struct {
	*plan.RequestChange
	Environments []string
	Gateway      string
}

// Requests merges equal classes of several environments, worst first. Classes that differ in their requests alone are one, as hostnames
// differ by environment; two such classes of one environment are not.
func Requests(doc *plan.Plan) []RequestsIn {
	var list []RequestsIn
	index := map[string]int{}
	for e := range doc.Environments {
		env := &doc.Environments[e]
		met := map[string]int{}
		for i := range env.Requests {
			r := &env.Requests[i]
			k := key(r.Class, r.Perhaps, r.Certain, r.Differences, r.Unknown, ruleOf(r.Before), ruleOf(r.After), causesOf(r))
			met[k]++
			k = key(k, met[k])
			at, known := index[k]
			if !known {
				at = len(list)
				index[k] = at
				list = append(list, RequestsIn{RequestChange: r})
			} else if !slices.Equal(list[at].RequestChange.Requests, r.Requests) {
				list[at].RequestChange = joined(list[at].RequestChange, r)
			}
			list[at].Environments = AppendNew(list[at].Environments, env.Name)
		}
	}
	slices.SortStableFunc(list, func(a, b RequestsIn) int { return cmp.Compare(a.Class.Rank(), b.Class.Rank()) })
	return byTurns(withGateways(list))
}

// causesOf are the places of the edits that a class comes from.
func causesOf(r *plan.RequestChange) []string {
	var out []string
	for _, c := range r.Causes {
		out = append(out, key(c.Side, c.File, c.Line))
	}
	return out
}

// joined is a class with the requests of the same class of another environment.
func joined(r, other *plan.RequestChange) *plan.RequestChange {
	out := *r
	out.Requests = slices.Clone(r.Requests)
	for _, one := range other.Requests {
		if slices.Contains(r.Requests, one) {
			out.Count--
			continue
		}
		out.Requests = append(out.Requests, one)
	}
	out.Count += other.Count
	return &out
}

// withGateways names the Gateways of classes that nothing else tells apart.
func withGateways(list []RequestsIn) []RequestsIn {
	gateways := map[string][]string{}
	alike := func(r *RequestsIn) string { return key(RequestClassText(r.RequestChange), r.Requests, r.Environments) }
	for i := range list {
		gateways[alike(&list[i])] = AppendNew(gateways[alike(&list[i])], gatewayOf(list[i].RequestChange))
	}
	for i := range list {
		if len(gateways[alike(&list[i])]) > 1 {
			list[i].Gateway = gatewayOf(list[i].RequestChange)
		}
	}
	return list
}

// gatewayOf is the Gateway that answers some requests, or answered them before.
func gatewayOf(r *plan.RequestChange) string {
	switch {
	case r.After != nil:
		return r.After.Gateway
	case r.Before != nil:
		return r.Before.Gateway
	}
	return ""
}

// turn is how many lines one class of worse requests has before the next such class, so that requests that are no
// longer answered are not folded below a long list of less protected ones.
const turn = 3

func byTurns(list []RequestsIn) []RequestsIn {
	turns, lines := map[*plan.RequestChange]int{}, map[plan.RequestClass]int{}
	for _, r := range list {
		turns[r.RequestChange] = lines[r.Class] / turn
		if !RequestsWorse([]RequestsIn{r}) {
			turns[r.RequestChange] = len(list)
		}
		lines[r.Class]++
	}
	slices.SortStableFunc(list, func(a, b RequestsIn) int { return cmp.Compare(turns[a.RequestChange], turns[b.RequestChange]) })
	return list
}

func ruleOf(r *plan.RequestRule) string {
	if r == nil {
		return ""
	}
	return r.Rule
}

// RequestsWorse reports whether some requests are less protected or no longer answered, or perhaps are.
func RequestsWorse(list []RequestsIn) bool {
	return slices.ContainsFunc(list, func(r RequestsIn) bool { return r.Effect() == plan.RequestsExposed || r.Effect() == plan.RequestsLost })
}

// RequestClassText is the class of requests in words.
func RequestClassText(r *plan.RequestChange) string {
	if r.Class == plan.RequestsUnknown || !r.Certain {
		return "perhaps " + classText(r)
	}
	return classText(r)
}

func classText(r *plan.RequestChange) string {
	switch r.Effect() {
	case plan.RequestsExposed:
		return "less protected"
	case plan.RequestsLost:
		if r.After != nil { // the Gateway answers, with an error
			return "no longer served"
		}
		return "no longer answered"
	case plan.RequestsMoved:
		if r.Before != nil && r.After != nil && r.Before.Rule == r.After.Rule {
			return "answered elsewhere"
		}
		return "answered by another rule"
	case plan.RequestsChanged:
		return "answered differently"
	case plan.RequestsGained:
		return "newly answered"
	case plan.RequestsGuarded:
		return "more protected"
	case plan.RequestsUnknown: // is none of these by itself
	}
	return string(r.Effect())
}

// Set names the requests of a class: the first ones, and the number of others.
func (r RequestsIn) Set(most int) string {
	n := min(len(r.Requests), most)
	text := strings.Join(r.Requests[:n], ", ") + spelling.More(r.Count-n)
	if r.Gateway != "" {
		text += " at " + NodeName(r.Gateway)
	}
	return text
}

// ShownRequests is how many requests of a class are named.
const ShownRequests = 3

// RequestExample identifies the requests by an example, and says which rule answers. quoted and plain are how a format
// writes a request and other words.
func RequestExample(r *plan.RequestChange, quoted, plain func(string) string) string {
	example := "those that its rules match"
	if !r.Selected {
		example = "such as " + quoted(r.Witness)
		if len(r.Headers) > 0 {
			example += " (" + plain(strings.Join(r.Headers, ", ")) + ")"
		}
	}
	if rules := RequestRules(r); rules != "" {
		example += ", " + plain(rules)
	}
	return example
}

// RequestRules says which rule answers, and which one did before.
func RequestRules(r *plan.RequestChange) string {
	switch {
	case r.Before == nil && r.After == nil:
		return ""
	case r.Before == nil:
		return "answered by " + NodeName(r.After.Rule) + unprotected(r)
	case r.After == nil:
		return NodeName(r.Before.Rule) + " answered before"
	case r.Before.Rule == r.After.Rule && r.Before.Listener == r.After.Listener:
		return "answered by " + NodeName(r.After.Rule)
	case r.Before.Rule == r.After.Rule:
		return fmt.Sprintf("answered at %s, at %s before", NodeName(r.After.Listener), NodeName(r.Before.Listener)) + unprotected(r)
	}
	return fmt.Sprintf("answered by %s, by %s before", NodeName(r.After.Rule), NodeName(r.Before.Rule)) + unprotected(r)
}

func unprotected(r *plan.RequestChange) string {
	if r.Unprotected {
		return ", without authentication or authorisation"
	}
	return ""
}
