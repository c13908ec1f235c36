package unseen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// global finds objects that decide about requests without being attached to anything, which the analysis does not follow, if
// the plan does not tell of them.
func global(s *search, pair applied.Pair, told map[string]bool) {
	for _, e := range s.edits.of(pair) {
		o := e.Object()
		what := ""
		if e.Is == nil {
			what = forAll(e.Was, nil)
		} else {
			what = forAll(e.Is, e.Was)
		}
		if what == "" && !follows(s, o.ID) && (selectsProxies(e.Was) || selectsProxies(e.Is)) {
			what = "the proxies that it selects"
		}
		if o.ID.Kind == "PolicyException" && exceptsJudges(pair, e) {
			continue
		}
		if what != "" && !o.Context && !told[o.ID.String()] && (e.Was == nil || e.Is == nil || decidesOtherwise(e.Was, e.Is)) {
			s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.First(), []string{what}).Global = true
		}
	}
	behindModels(s, pair, told)
}

// follows reports whether the analysis knows what objects of a kind do.
func follows(s *search, id loader.ID) bool {
	return s.Table.Kind(id.Group, id.Kind) != nil || network.IsPolicy(id) || hierarchy.Needs(id.Group, id.Kind) || network.Workload(id.Group, id.Kind)
}

func selectsProxies(o *loader.Object) bool { return o != nil && loader.SelectsProxies(o.Root) }

// exceptsJudges reports whether all policies of Kyverno that an exception names, in either form, only validate, so that it changes
// nothing of what the cluster holds (Kyverno, Policy Exceptions: exceptions of rules, policyRefs of the policies in CEL).
func exceptsJudges(pair applied.Pair, e applied.Edit) bool {
	for _, o := range []*loader.Object{e.Was, e.Is} {
		for _, item := range o.Spec().List("exceptions") {
			if !onlyValidates(pair, item.Str("policyName")) {
				return false
			}
		}
		for _, ref := range o.Spec().List("policyRefs") {
			if kind := ref.Str("kind"); kind != "ValidatingPolicy" && kind != "ImageValidatingPolicy" {
				return false
			}
		}
	}
	return true
}

// onlyValidates reports whether a policy, named with its namespace if it has one, is in the input and edits and makes nothing.
func onlyValidates(pair applied.Pair, name string) bool {
	known := false
	for _, env := range []*loader.Environment{pair.Base, pair.Head} {
		if env == nil {
			continue
		}
		for _, o := range env.Objects {
			if o.ID.Group != "kyverno.io" || o.ID.Kind == "PolicyException" || strings.TrimPrefix(o.ID.Namespace+"/"+o.ID.Name, "/") != name {
				continue
			}
			if known = true; shapes(o) {
				return false
			}
		}
	}
	return known
}

// behindModels finds what the backends of models lead to and that changes.
func behindModels(s *search, pair applied.Pair, told map[string]bool) {
	changed := map[loader.ID]*loader.Object{}
	for _, e := range s.edits.of(pair) {
		if e.Was != nil && e.Is != nil && !told[e.Is.ID.String()] {
			changed[e.Is.ID] = e.Is
		}
	}
	if len(changed) == 0 {
		return
	}
	for _, o := range pair.Head.Objects {
		backend := o.Spec().Get("backendRef")
		if o.ID.Group != "aigateway.envoyproxy.io" || o.ID.Kind != "AIServiceBackend" || backend == nil {
			continue
		}
		id := loader.ID{Group: backend.Str("group"), Kind: backend.Str("kind"), Namespace: cmp.Or(backend.Str("namespace"), o.ID.Namespace), Name: backend.Str("name")}
		if is := changed[id]; is != nil {
			s.add(id.Spoken(), plan.EditChanged, pair.Name(), is.First(), []string{"the requests of " + o.ID.Spoken()}).Global = true
		}
	}
}

// decidesOtherwise reports whether more than labels, and annotations that say nothing to a controller, differ between two
// forms of an object. Kong reads a label. That of an Ingress's plugins is followed at routes alone.
func decidesOtherwise(was, is *loader.Object) bool {
	return !was.SameBody(is) || !loader.Equal(exposure(was), exposure(is)) || was.Annotations()[loader.KongPlugins] != is.Annotations()[loader.KongPlugins] || is.ID.Group == "configuration.konghq.com" ||
		len(changedAnnotations(was.Annotations(), is.Annotations(), slices.Concat(acting, ofControllers, ofIngresses))) > 0
}
