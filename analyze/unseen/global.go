package unseen

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// global finds objects that decide about requests without being attached to anything, which the analysis does not follow, if
// the plan does not tell of them.
func global(s *search, pair applied.Pair, told map[string]bool) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	before, after := pair.Base.ByID(), pair.Head.ByID()
	for _, o := range pair.Head.Objects {
		was := before[o.ID]
		switch what := forAll(o, was); {
		case what == "" || o.Context || told[o.ID.String()]:
		case was == nil:
			s.add(o.ID.Spoken(), "added", pair.Name(), o.First(), []string{what}).Global = true
		case was.Digest != o.Digest && decidesOtherwise(was, o):
			s.add(o.ID.Spoken(), "changed", pair.Name(), o.First(), []string{what}).Global = true
		}
	}
	for _, o := range pair.Head.Objects { // what backends of models lead to
		backend := o.Spec().Get("backendRef")
		if o.ID.Group != "aigateway.envoyproxy.io" || o.ID.Kind != "AIServiceBackend" || backend == nil {
			continue
		}
		id := loader.ID{Group: backend.Str("group"), Kind: backend.Str("kind"), Namespace: cmp.Or(backend.Str("namespace"), o.ID.Namespace), Name: backend.Str("name")}
		if was, is := before[id], after[id]; was != nil && is != nil && was.Digest != is.Digest && !told[id.String()] {
			s.add(id.Spoken(), "changed", pair.Name(), is.First(), []string{"the requests of " + o.ID.Spoken()}).Global = true
		}
	}
	for _, o := range pair.Base.Objects {
		if what := forAll(o, nil); what != "" && !o.Context && after[o.ID] == nil && !told[o.ID.String()] {
			s.add(o.ID.Spoken(), "removed", pair.Name(), o.First(), []string{what}).Global = true
		}
	}
}

// decidesOtherwise reports whether more than labels, and annotations that say nothing to a controller, differ between two
// forms of an object. Kong reads a label, and a ConfigMap has no spec. That of an Ingress's plugins is followed at routes alone.
func decidesOtherwise(was, is *loader.Object) bool {
	return is.Spec() == nil || was.Annotations()["konghq.com/plugins"] != is.Annotations()["konghq.com/plugins"] || is.ID.Group == "configuration.konghq.com" || len(differing(was, is)) > 0 ||
		len(changedAnnotations(was.Annotations(), is.Annotations(), slices.Concat(acting, ofControllers, ofIngresses))) > 0
}
