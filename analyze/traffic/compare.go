package traffic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// compareAnswers says whether a request is answered differently in two revisions, and how. programs describe how the
// programs that run for the request differ: if nothing else but policies differs, it is not known whether the answer
// does.
func compareAnswers(before, after []plan.Answer, programs []string) (result string, differences []string) {
	var policies []string
	was := map[string]*plan.Answer{}
	for i := range before {
		was[before[i].Gateway] = &before[i]
	}
	for i := range after {
		a := &after[i]
		b := was[a.Gateway]
		delete(was, a.Gateway)
		if b == nil && len(after) == 1 && len(before) == 1 {
			b = &before[0]
			clear(was)
			differences = append(differences, fmt.Sprintf("arrives at %s, at %s before", nowhere(a.Gateway), nowhere(b.Gateway)))
		}
		if b == nil {
			differences = append(differences, fmt.Sprintf("%s, where nothing took it before, now %s", a.Gateway, says(a)))
			continue
		}
		differences, policies = append(differences, differ(b, a)...), append(policies, differentPolicies(b, a)...)
	}
	for _, gateway := range slices.Sorted(maps.Keys(was)) {
		differences = append(differences, fmt.Sprintf("%s no longer %s", gateway, says(was[gateway])))
	}
	unknown := func(a plan.Answer) bool { return a.Outcome == plan.NotKnown }
	notKnown := len(programs) > 0 && len(differences) == 0 || slices.ContainsFunc(before, unknown) || slices.ContainsFunc(after, unknown)
	differences = slices.Concat(differences, programs, policies)
	if notKnown {
		return plan.UnknownAnswer, differences
	}
	if len(differences) > 0 {
		return plan.DifferentAnswer, differences
	}
	return plan.SameAnswer, nil
}

func nowhere(gateway string) string { return cmp.Or(gateway, "no Gateway") }

// says is an answer in a clause: "answers by HTTPRoute/shop/cart#rule[0]".
func says(a *plan.Answer) string {
	switch a.Outcome {
	case plan.Refused:
		return "refuses it"
	case plan.NotKnown:
		return "answers in a way that is not known"
	case plan.ByRedirect:
		return fmt.Sprintf("redirects it to %s (%d)", a.Location, a.Status)
	case plan.ByStatus:
		if a.Rule == "" {
			return fmt.Sprintf("answers %d", a.Status)
		}
		return fmt.Sprintf("answers %d by %s", a.Status, a.Rule)
	}
	return "answers by " + a.Rule
}

// differ lists what differs between the answers of one Gateway, beside the policies in force.
func differ(b, a *plan.Answer) []string {
	var out []string
	switch {
	case says(b) != says(a) && !onlyMoves(b, a):
		out = append(out, fmt.Sprintf("%s now %s; before it %s", a.Gateway, says(a), says(b)))
	case b.Match != a.Match:
		out = append(out, fmt.Sprintf("matches %s, %s before", a.Match, b.Match))
	}
	if b.Listener != a.Listener && b.Listener != "" && a.Listener != "" {
		out = append(out, fmt.Sprintf("passes %s, %s before", a.Listener, b.Listener))
	}
	if was, is := Shares(b), Shares(a); !sameShares(b, a) {
		out = append(out, fmt.Sprintf("goes to %s, to %s before", cmp.Or(is, "no backend"), cmp.Or(was, "no backend")))
	}
	return append(append(out, differentAdmission(b, a)...), differentSteps(b, a)...)
}

// differentAdmission lists the backends of both answers that network policies keep the Gateway from in one of them only.
func differentAdmission(b, a *plan.Answer) []string {
	was := map[string]string{}
	for _, backend := range b.Backends {
		was[backend.Backend] = backend.Denied
	}
	var out []string
	for _, backend := range a.Backends {
		before, known := was[backend.Backend]
		switch {
		case !known || (before == "") == (backend.Denied == ""):
		case before == "":
			out = append(out, fmt.Sprintf("%s now keeps %s from %s", loader.Spoken(backend.Denied), a.Gateway, backend.Backend))
		default:
			out = append(out, fmt.Sprintf("%s no longer keeps %s from %s", loader.Spoken(before), a.Gateway, backend.Backend))
		}
	}
	return out
}

// onlyMoves reports whether a rule without a name has another place among those of its route, and is the same otherwise.
func onlyMoves(b, a *plan.Answer) bool {
	const unnamed = "#rule["
	return b.Route != "" && b.Route == a.Route && b.Outcome == a.Outcome && b.Status == a.Status && b.Location == a.Location && b.Match == a.Match &&
		strings.Contains(b.Rule, unnamed) && strings.Contains(a.Rule, unnamed)
}

// differentSteps lists the steps that only one answer has. A redirect and what the Gateway answers itself count as answers,
// not as steps.
func differentSteps(b, a *plan.Answer) []string {
	was, is := steps(b), steps(a)
	has := func(list []plan.TraceStep, s plan.TraceStep) bool {
		return slices.ContainsFunc(list, func(other plan.TraceStep) bool { return sameStep(s, other) })
	}
	var out []string
	for _, s := range is {
		if !has(was, s) {
			out = append(out, "now "+s.What)
		}
	}
	for _, s := range was {
		if !has(is, s) {
			out = append(out, "no longer "+s.What)
		}
	}
	return out
}

// sameStep reports whether two steps do the same. Names of headers, which some steps have, are the same in any case, codes
// to try again after in any order, and a time or a share in whatever way it is written.
func sameStep(a, b plan.TraceStep) bool {
	if a.Action == b.Action && a.Backend == b.Backend {
		switch answer.Action(a.Action) {
		case answer.LimitsTime:
			order, ok := merge.CompareAmounts(a.Value, b.Value)
			return a.Name == b.Name && (a.Value == b.Value || ok && order == 0)
		case answer.TriesAgain:
			return a.Value == b.Value && slices.Equal(sorted(a.Name), sorted(b.Name))
		case answer.Mirrors:
			return a.Name == b.Name && (a.Value == b.Value || sameShare(a.Value, b.Value))
		default:
		}
	}
	if a.Action != b.Action || a.Name == "" || !strings.EqualFold(a.Name, b.Name) {
		return a.What == b.What
	}
	return strings.Replace(a.What, a.Name, b.Name, 1) == b.What
}

func sorted(codes string) []string { return slices.Sorted(strings.SplitSeq(codes, ",")) }

// sameShare reports whether two shares are one: "50 %" and "1/2". A share that is not written is the whole.
func sameShare(a, b string) bool {
	share := func(text string) *big.Rat {
		text = cmp.Or(text, "1")
		if percent, found := strings.CutSuffix(text, " %"); found {
			text = percent + "/100"
		}
		r, _ := new(big.Rat).SetString(text)
		return r
	}
	x, y := share(a), share(b)
	return x != nil && y != nil && x.Cmp(y) == 0
}

func steps(a *plan.Answer) []plan.TraceStep {
	return slices.DeleteFunc(slices.Clone(a.Steps), func(s plan.TraceStep) bool {
		return s.Action == string(answer.Redirects) || s.Action == string(answer.Answers)
	})
}

// Shares names the backends of an answer with their shares, in lowest terms: 9 of 10, not 90 of 100.
func Shares(a *plan.Answer) string { return strings.Join(shares(a), ", ") }

// sameShares reports whether two answers have the same backends with the same shares, in any order.
func sameShares(a, b *plan.Answer) bool {
	return slices.Equal(slices.Sorted(slices.Values(shares(a))), slices.Sorted(slices.Values(shares(b))))
}

func shares(a *plan.Answer) []string {
	divisor := 0
	backends := distinct(a)
	for _, b := range backends {
		divisor = common(common(divisor, b.Weight), b.Total)
	}
	var out []string
	for _, b := range backends {
		text := b.Backend
		if len(backends) > 1 {
			text = fmt.Sprintf("%s (%d of %d)", b.Backend, b.Weight/max(divisor, 1), b.Total/max(divisor, 1))
		}
		if b.Status != 0 {
			text += fmt.Sprintf(" (%d)", b.Status)
		}
		out = append(out, text)
	}
	return out
}

// distinct are the backends of an answer. One that is written several times gets the sum of the weights, unless filters of its
// own do something else to each.
func distinct(a *plan.Answer) []plan.TraceBackend {
	var out []plan.TraceBackend
	for _, b := range a.Backends {
		i := slices.IndexFunc(out, func(o plan.TraceBackend) bool { return o.Backend == b.Backend && o.Status == b.Status })
		if i < 0 || slices.ContainsFunc(a.Steps, func(s plan.TraceStep) bool { return s.Backend == b.Backend }) {
			out = append(out, b)
			continue
		}
		out[i].Weight += b.Weight
	}
	return out
}

// common is the greatest common divisor of two numbers, or the other one if one is 0.
func common(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// differentPolicies compares the fields in force, by the kind of policy and the path.
func differentPolicies(b, a *plan.Answer) []string {
	type key struct{ kind, path string }
	values := func(answer *plan.Answer) (map[key]plan.EffectiveField, []key) {
		out := map[key]plan.EffectiveField{}
		var order []key
		for _, p := range answer.Policies {
			for _, f := range p.Fields {
				k := key{p.PolicyKind.Kind, f.Path}
				if _, known := out[k]; !known {
					order = append(order, k)
				}
				out[k] = f
			}
		}
		return out, order
	}
	was, before := values(b)
	is, after := values(a)
	var out []string
	for _, k := range after {
		old, had := was[k]
		switch {
		case !had:
			out = append(out, fmt.Sprintf("%s sets %s: %s", k.kind, k.path, valueText(is[k].Value)))
		case !reflect.DeepEqual(old.Value, is[k].Value):
			out = append(out, fmt.Sprintf("%s sets %s: %s, %s before", k.kind, k.path, valueText(is[k].Value), valueText(old.Value)))
		}
	}
	for _, k := range before {
		if _, has := is[k]; !has {
			out = append(out, fmt.Sprintf("%s no longer sets %s: %s", k.kind, k.path, valueText(was[k].Value)))
		}
	}
	return out
}

func valueText(v any) string {
	switch v.(type) {
	case map[string]any, []any:
		if text, err := json.Marshal(v); err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(v)
}
