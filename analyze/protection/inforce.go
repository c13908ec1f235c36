package protection

import (
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// InForce returns what an effective policy protects. Of authentication and authorisation it returns only what is asked of every
// request: neither a mode in which a request without credentials gets in, nor rules that admit everybody or that only some
// requests meet.
func InForce(k *catalogue.Kind, e *effective.Policy) []Field {
	found := Between(k, nil, e).Tightened
	if len(found) == 0 {
		return nil
	}
	open, whole := openModes(k, e), spec(e)
	return slices.DeleteFunc(found, func(f Field) bool {
		if !f.Admits() {
			return false
		}
		return f.by != nil && (f.by.Optional || f.by.OnlyIf != "" && whole.At(f.by.OnlyIf) != nil) || slices.ContainsFunc(open, func(mode string) bool {
			return strings.HasPrefix(mode, f.Path+"/") || strings.HasPrefix(f.Path+"/", path.Dir(mode)+"/")
		}) || letsAnybodyIn(k, f)
	})
}

// openModes returns the paths of modes in which requests without credentials get in.
func openModes(k *catalogue.Kind, e *effective.Policy) []string {
	var out []string
	find := func(rows []catalogue.Protection, content *merge.Tree, at string) {
		for _, p := range rows {
			if len(p.Lets) == 0 {
				continue
			}
			for _, f := range expand(nil, content, p, false) {
				word := wordOf(p, f.after, f.inAfter, content)
				if f.inAfter && word >= 0 && slices.Contains(p.Lets, p.Order[word]) {
					out = append(out, at+f.path)
				}
			}
		}
	}
	find(k.Protects, spec(e), "")
	change.EachDrawn(nil, e, func(place []effective.Step, _, drawn *effective.Drawn) {
		find(drawn.Protects, drawn.Content(), plainPlace(place))
	})
	return out
}

// letsAnybodyIn reports whether lists of authorisation rules admit everybody: one that allows has a rule for all requests or for every
// address, one that denies has rules for some requests alone.
func letsAnybodyIn(k *catalogue.Kind, f Field) bool {
	if f.After == nil {
		return false
	}
	for _, p := range k.Protects {
		first, _, _ := strings.Cut(strings.TrimPrefix(f.Path, "/"), "/")
		lists := f.After.Entries
		switch p.Rules {
		case catalogue.IstioAllow:
			if strings.HasPrefix(first, "ALLOW") && slices.ContainsFunc(lists, func(one merge.Entry) bool { return allowsAnybody(one.Tree.Get("rules")) }) {
				return true
			}
		case catalogue.IstioDeny:
			if strings.HasPrefix(first, "DENY") && !slices.ContainsFunc(rulesOf(f.After.Get("rules")), isForAll) {
				return true
			}
		case catalogue.EnvoyGatewayRules:
			if first == "authorization" && slices.ContainsFunc(rulesOf(f.After.Get("rules")), admitsEveryAddress) {
				return true
			}
		}
	}
	return false
}

// allowsAnybody reports whether rules of Istio allow what nobody has to prove.
func allowsAnybody(rules *merge.Tree) bool {
	return slices.ContainsFunc(rulesOf(rules), func(rule *loader.Value) bool {
		return len(rule.FieldList()) == 0 && !rule.Opaque || isForAll(rule) && everybody(&merge.Tree{Value: rule})
	})
}

// isForAll reports whether it depends only on who sends a request whether a rule of Istio is about it.
func isForAll(rule *loader.Value) bool {
	return len(rule.List("to")) == 0 && len(rule.List("when")) == 0
}

// admitsEveryAddress reports whether a rule of Envoy Gateway allows all addresses and asks for nothing else.
func admitsEveryAddress(rule *loader.Value) bool {
	principal := rule.Get("principal")
	asks := func(f loader.Field) bool { return f.Key != "clientCIDRs" && f.Key != "sourceCIDRs" }
	return rule.Str("action") == "Allow" && rule.Get("operation") == nil && !rule.Opaque &&
		!slices.ContainsFunc(principal.FieldList(), asks) && everybody(&merge.Tree{Value: principal})
}
