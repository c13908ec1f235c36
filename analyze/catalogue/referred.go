package catalogue

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// addReferred adds the kinds that filters and parametersRefs name and that nothing describes. What their objects do
// is not known, so all of them counts as a program.
func (t *Table) addReferred(objects []*loader.Object) {
	for _, o := range objects {
		hierarchy.EachReference(o.ID.Group, o.ID.Kind, o.Spec(), func(by hierarchy.Reference, group, kind string) {
			key := GroupKind{group, kind}
			if t.kinds[key] != nil || group == "" || hierarchy.Needs(group, kind) || by == hierarchy.ByBackend {
				return
			}
			e := namedByFilter(group, kind)
			if by == hierarchy.ByParameters {
				e = namedByParameters(group, kind)
			}
			k := compile(e, nil, FromObject)
			k.Notes = append(k.Notes, fmt.Sprintf("%s, named by %s, is not in the catalogue: what its objects do is not computed", k, by))
			t.kinds[key] = k
		})
	}
}

func namedByFilter(group, kind string) Entry {
	return Entry{
		Group: group, Kind: kind, Verified: "none", Class: string(Direct), Family: FilterFamily,
		Target: TargetEntry{
			Refs: []RefEntry{{Path: "rules[].filters[].extensionRef", Form: ExtensionRef}},
			Allowed: []string{
				loader.GatewayGroup + "/HTTPRoute:rule", loader.GatewayGroup + "/GRPCRoute:rule", loader.GatewayGroup + "/Gateway:listener", loader.GatewayGroup + "/ListenerSet:listener",
			},
			Namespace: SameScope,
		},
		Levels: []string{"ExtensionRef@listener", "ExtensionRef"}, Effective: []string{"Gateway:listener", "Route:rule"},
		Spec:     SpecEntry{Bodies: []Body{{Direction: Defaults}}},
		Merge:    MergeEntry{Levels: LevelMerge{Algorithm: "collect", Direction: Defaults, Hops: NoHops}, Same: SameMerge{Algorithm: "collect", Tie: Ordered}},
		Order:    []string{"namespace", "name"},
		Programs: []Program{{Path: "*", Is: "a filter of an unknown kind"}},
	}
}

func namedByParameters(group, kind string) Entry {
	return Entry{
		Group: group, Kind: kind, Verified: "none", Class: string(Inherited),
		Target: TargetEntry{Allowed: []string{loader.GatewayGroup + "/GatewayClass", loader.GatewayGroup + "/Gateway"}, Namespace: AnyScope, Via: "parametersRef"},
		Levels: []string{"GatewayClass", "Gateway"}, Effective: []string{"Gateway"},
		Spec:     SpecEntry{Bodies: []Body{{Direction: Defaults}}},
		Merge:    MergeEntry{Levels: LevelMerge{Algorithm: "leaf", Direction: Defaults, Hops: AllHops}, Same: SameMerge{Algorithm: "none", Tie: Undefined}},
		Programs: []Program{{Path: "*", Is: "a setting of an unknown kind"}},
	}
}
