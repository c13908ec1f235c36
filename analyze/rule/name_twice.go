package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var nameTwice = &Rule{
	ID:       "name-twice",
	Title:    "Two sections of an object have the same name, or two references of a route the same target",
	Severity: plan.Error,
	Why: "Listener names are unique in a Gateway and a ListenerSet, rule names in a route (GEP-995), port " +
		"names in a Service, and of several references of a route to one parent each names a section of its own. The API server " +
		"refuses the object, or a policy and a parentRef that name the section mean either.",
	Fix:   "Give each its own name, or leave one out.",
	Check: checkNameTwice,
}

func checkNameTwice(s *Environment, report Report) {
	for _, o := range s.Run.Environment.Objects {
		if o.Context || hierarchy.LevelOf(o.ID.Group, o.ID.Kind) == hierarchy.LevelOutside {
			continue
		}
		if hierarchy.LevelOf(o.ID.Group, o.ID.Kind) == hierarchy.LevelRoute {
			parentTwice(o, report)
		}
		for _, field := range []string{"listeners", "rules", "ports"} {
			seen := map[string]bool{}
			for _, item := range o.Spec().List(field) {
				name := item.Get("name")
				if name.IsEmpty() {
					continue
				}
				if seen[name.Text] {
					report(Hit{
						Target: o.ID.String(), Key: []string{field, name.Text}, At: o.Position(name), Object: o,
						Title: say("%s has two %s of the name %q", o.ID, field, name.Text),
					})
				}
				seen[name.Text] = true
			}
		}
	}
}

// parentTwice reports references of a route to the same parent that the API server rejects (Gateway
// API apis/v1/shared_types.go, CommonRouteSpec.parentRefs, the CEL rules).
func parentTwice(o *loader.Object, report Report) {
	type parent struct{ group, kind, namespace, name string }
	sections := map[parent]map[string]bool{}
	for _, ref := range o.Spec().List("parentRefs") {
		at := parent{group: loader.GatewayGroup, kind: "Gateway", namespace: ref.Str("namespace"), name: ref.Str("name")}
		if group := ref.Get("group"); group != nil {
			at.group = group.Text
		}
		if kind := ref.Str("kind"); kind != "" {
			at.kind = kind
		}
		section := ref.Str("sectionName")
		if port := ref.Get("port"); port != nil {
			section += ":" + port.Text
		}
		if at.name == "" || loader.Placeholder(at.name+section) {
			continue
		}
		title := ""
		switch had := sections[at]; {
		case had == nil:
			sections[at] = map[string]bool{}
		case had[section]:
			title = say("%s names %s twice in parentRefs", o.ID, nameOf(at.name, section))
		case had[""] || section == "":
			title = say("%s names %s with a section and without one in parentRefs", o.ID, at.name)
		}
		sections[at][section] = true
		if title != "" {
			report(Hit{Target: o.ID.String(), Key: []string{"parentRefs", at.name, section}, At: o.Position(ref), Object: o, Title: title})
		}
	}
}

func nameOf(parent, section string) string {
	if section == "" {
		return parent
	}
	return parent + "#" + section
}
