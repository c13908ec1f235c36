package rule

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var filterReferenceInvalid = &Rule{
	ID:       "filter-reference-invalid",
	Title:    "A filter of a route cannot be used",
	Severity: plan.Error,
	Why: "A mirror, an external authorization or an extension that cannot be resolved, or a filter that the controller does not have, " +
		"should never be skipped: the controller answers requests with an error or refuses the rule (Gateway API, HTTPRouteFilter). " +
		"Some leave out the rule, so that another one may answer without protection, and some answer without the filter. " +
		"A warning where an object is not in the input and one of almost that name is, also one that an annotation of Kong names.",
	Fix:   "Correct the filter, or add the object or the ReferenceGrant it needs.",
	Check: checkFilterReferenceInvalid,
}

// misspeltExtensions reports the extensions of a rule that are not in the input if one with a similar name is.
func misspeltExtensions(s *Environment, rule *hierarchy.Node, report Report) {
	filters := rule.Value.List("filters")
	for _, backend := range rule.Value.List("backendRefs") {
		filters = slices.Concat(filters, backend.List("filters"))
	}
	for _, filter := range filters {
		ref := filter.Get("extensionRef")
		id := loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: rule.Namespace(), Name: ref.Str("name")}
		if meant := meantBy(s, rule.Object, id); meant != "" {
			report(Hit{
				Target: rule.Owner.String(), Key: []string{"extension", id.String()}, At: rule.Object.Position(ref), Object: rule.Object,
				Severity: plan.Warning, Involves: []loader.ID{id},
				Title: say("a filter of %s: %s is not in the input%s", rule, id.Spoken(), spelling.Meant(meant)),
			})
		}
	}
}

// misspeltAnnotations reports the names of policies in annotations that are those of nothing in the input if one with a similar name is:
// Kong answers requests without such a plugin (Kong Ingress Controller internal/dataplane/kongstate/kongstate.go).
func misspeltAnnotations(s *Environment, report Report) {
	for _, k := range s.Table.Kinds() {
		for _, form := range k.Target.Refs {
			key, isAnnotation := strings.CutPrefix(form.Path, "annotation:")
			if !isAnnotation || form.Behind != "" {
				continue
			}
			for _, o := range s.Run.Environment.Objects {
				at := o.Root.Get("metadata", "annotations", key)
				if at == nil || o.Context {
					continue
				}
				for name := range strings.SplitSeq(at.Text, ",") {
					id := loader.ID{Group: k.Group, Kind: k.Name(), Namespace: o.ID.Namespace, Name: strings.TrimSpace(name)}
					if form.Across != "" && strings.Contains(name, form.Across) || hasClusterWide(s, k, id) {
						continue // in another namespace, or in none
					}
					if meant := meantBy(s, o, id); meant != "" {
						report(Hit{
							Target: o.ID.String(), Key: []string{"annotation", id.String()}, At: o.Position(at), Object: o, Severity: plan.Warning, Involves: []loader.ID{id},
							Title: say("%s names %s, which is not in the input%s", o.ID, id.Spoken(), spelling.Meant(meant)),
						})
					}
				}
			}
		}
	}
}

// hasClusterWide reports whether there is a policy of the name for the whole cluster, which counts where a namespace has none.
func hasClusterWide(s *Environment, k *catalogue.Kind, id loader.ID) bool {
	return slices.ContainsFunc(s.Table.Kinds(), func(wide *catalogue.Kind) bool {
		behind := slices.ContainsFunc(wide.Target.Refs, func(form catalogue.RefEntry) bool { return form.Behind == k.Name() })
		return behind && wide.Group == k.Group && s.Run.Graph.Object(loader.ID{Group: wide.Group, Kind: wide.Name(), Name: id.Name}) != nil
	})
}

func checkFilterReferenceInvalid(s *Environment, report Report) {
	misspeltAnnotations(s, report)
	s.broken(report, func(b *broken) string {
		if b.Carrier != hierarchy.Filter {
			return ""
		}
		return say("a filter of %s fails: %s", b.route, b.Message)
	})
	s.nodes(hierarchy.LevelRoute, func(route *hierarchy.Node) {
		own := s.Run.Graph.Decider(route)
		for _, rule := range route.Sections {
			misspeltExtensions(s, rule, report)
			for _, filter := range rule.Value.List("filters") {
				kind := filter.Str("type")
				if kind == "" || own.Matching.HasFilter(route.Target.Kind, kind) {
					continue
				}
				report(Hit{
					Target: route.String(), Key: []string{"type", kind}, At: route.Object.Position(filter), Object: route.Object,
					Title: say("%s has no filter %s for a %s: %s %s", own.Name, kind, route.Target.Kind, rule, withoutFilter[own.Matching.FaultOf(route.Target.Kind, kind)]),
				})
			}
		}
	})
}

// withoutFilter says what becomes of a rule with a filter that its controller does not have.
var withoutFilter = map[implementation.Fault]string{
	implementation.Fails: "fails", implementation.LeavesOut: "is left out", implementation.Ignores: "answers without it",
}
