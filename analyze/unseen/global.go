package unseen

import (
	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// kong is the group of the objects of the Kong Ingress Controller.
const kong = "configuration.konghq.com"

// global finds objects that decide about requests without being attached to anything, which the analysis does not follow:
// plugins of Kong for all requests, and its consumers with their credentials and plugins (Kong Ingress Controller
// internal/dataplane/kongstate/kongstate.go, globalKongClusterPlugins and FillConsumersAndCredentials).
func global(s *search, pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	before, after := pair.Base.ByID(), pair.Head.ByID()
	for _, o := range pair.Head.Objects {
		was := before[o.ID]
		switch what := forAll(o, was); {
		case what == "" || o.Context:
		case was == nil:
			s.add(o.ID.Spoken(), "added", pair.Name(), o.First(), []string{what}).Global = true
		case was.Digest != o.Digest:
			s.add(o.ID.Spoken(), "changed", pair.Name(), o.First(), []string{what}).Global = true
		}
	}
	for _, o := range pair.Base.Objects {
		if what := forAll(o, nil); what != "" && !o.Context && after[o.ID] == nil {
			s.add(o.ID.Spoken(), "removed", pair.Name(), o.First(), []string{what}).Global = true
		}
	}
}

// Unattached reports whether objects of a kind decide about requests although nothing attaches them to a target.
func Unattached(group, kind string) bool {
	return group == kong && (kind == "KongConsumer" || kind == "KongConsumerGroup" || kind == "KongClusterPlugin")
}

// forAll says which requests an object is about that is attached to nothing, in either of its two forms; the second may be nil.
func forAll(o, other *loader.Object) string {
	isGlobal := func(o *loader.Object) bool { return o != nil && o.Labels()["global"] == "true" }
	switch {
	case !Unattached(o.ID.Group, o.ID.Kind):
		return ""
	case o.ID.Kind != "KongClusterPlugin":
		return "the requests of its consumers"
	case isGlobal(o) || isGlobal(other):
		return "all requests"
	}
	return ""
}
