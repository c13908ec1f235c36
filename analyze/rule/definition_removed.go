package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var definitionRemoved = &Rule{
	ID:       "definition-removed",
	Title:    "A CustomResourceDefinition is removed, and with it all objects of its kind",
	Severity: plan.Error,
	Why: "Flux and Argo CD delete a CustomResourceDefinition that is no longer declared where they prune, and Kubernetes deletes every object of " +
		"its kind: policies and routes, too, although Git still declares them. They cannot be created again without it. Where nothing " +
		"prunes, or a chart that is not rendered may have it, it is a warning.",
	Fix:      "Declare the definition as before, or keep it from being pruned until a chart installs it.",
	Security: true,
	Leads:    true,
	Compare:  compareDefinitions,
}

func compareDefinitions(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	deployers := p.Head.deployers()
	var declared map[loader.ID]int
	for _, o := range p.Base.Run.Environment.Objects {
		if o.ID.Kind != "CustomResourceDefinition" || o.Context || p.Head.Run.Graph.Object(o.ID) != nil {
			continue
		}
		if declared == nil {
			declared = declaredKinds(p.Head)
		}
		kind := o.Spec().Str("names", "kind")
		n := declared[loader.ID{Group: o.Spec().Str("group"), Kind: kind}]
		if n == 0 || o.Frozen != "" || o.Deployer != nil && o.Deployer.KeptBy(deployers) != nil {
			continue
		}
		h := Hit{
			Target: o.ID.String(), At: o.First(), InBase: true, Object: o, Opens: protects(p.Base.Run.Attached.Kinds, o.Spec().Str("group"), kind),
			Title:  fmt.Sprintf("the CustomResourceDefinition of %s is removed, with %s declared", kind, spelling.Count(n, kind)),
			Detail: "its deletion deletes every object of the kind",
		}
		if by := p.Head.Run.Graph.Producer(o.ID); by != "" {
			h.Severity = plan.Warning
			h.Detail += "; " + by + ", which is not rendered, may have it"
		} else if o.Deployer == nil {
			h.Severity = plan.Warning
		}
		report(h)
	}
}

// declaredKinds counts what an environment declares, by group and kind.
func declaredKinds(s *Environment) map[loader.ID]int {
	out := map[loader.ID]int{}
	for id := range objectsOf(s) {
		out[loader.ID{Group: id.Group, Kind: id.Kind}]++
	}
	return out
}

// protects reports whether objects of a kind can protect.
func protects(kinds []*catalogue.Kind, group, kind string) bool {
	return slices.ContainsFunc(kinds, func(k *catalogue.Kind) bool {
		return k.Group == group && k.Entry.Kind == kind && len(k.Protects) > 0
	})
}
