package ocm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// Unreached returns what the policies and works of a hub would give to managed clusters, of which the input has none:
// clusters are often imported by hand. Only what is about traffic is in it. A change of what brings it to clusters
// counts as one of it.
func Unreached(objects []deploy.Object, kinds Kinds) []loader.Gap {
	placing := sha256.New()
	var giving []deploy.Object
	for _, d := range objects {
		switch {
		case d.Group == policyGroup && d.Kind == "Policy", d.Kind == "ManifestWorkReplicaSet" && strings.HasPrefix(d.Group, "work."):
			giving = append(giving, d)
		case d.Group == clusterGroup, d.Kind == "PlacementBinding", d.Kind == "PlacementRule", d.Kind == "PolicySet":
			digest := loader.Digest(d.AsObject().ID, d.Root)
			placing.Write(digest[:])
		}
	}
	placed := "as placed by " + hex.EncodeToString(placing.Sum(nil)[:8])
	var out []loader.Gap
	for _, d := range giving {
		given := &loader.Value{Shape: loader.Map}
		aboutTraffic(d.Root.Get("spec"), kinds, given)
		if len(given.Fields) == 0 {
			continue
		}
		o := d.AsObject()
		out = append(out, loader.Gap{
			Kind: d.Kind, Name: deploy.Clip(d.Name), By: o.ID, Position: o.First(), Content: loader.Digest(loader.ID{Name: placed}, d.Root), Chart: placed, Values: given,
		})
	}
	slices.SortFunc(out, func(a, b loader.Gap) int { return a.Position.Compare(b.Position) })
	return out
}

// aboutTraffic collects the objects and templates within a value that are about traffic, under words that say so.
func aboutTraffic(v *loader.Value, kinds Kinds, into *loader.Value) {
	add := func(word string, what *loader.Value) {
		if name := what.Str("metadata", "name"); name != "" {
			word += " " + deploy.Clip(name)
		}
		for _, f := range into.Fields {
			if f.Key == word {
				word = fmt.Sprintf("%s, the %d. in it", word, len(into.Fields)+1)
				break
			}
		}
		digest := loader.Digest(loader.ID{}, what)
		into.Fields = append(into.Fields, loader.Field{Key: word, Value: &loader.Value{Shape: loader.String, Text: hex.EncodeToString(digest[:])}})
	}
	kind := v.Str("kind")
	group, _, grouped := strings.Cut(v.Str("apiVersion"), "/")
	if !grouped {
		group = ""
	}
	raw := v.Str("object-templates-raw")
	switch {
	case strings.Contains(kind, networkPolicies) || strings.Contains(raw, networkPolicies):
		add("NetworkPolicy", v)
	case kind != "" && group != policyGroup && kinds.Matters(group, kind, v):
		add(kind+" of a gateway", v)
	case strings.Contains(raw, loader.GatewayGroup):
		add("gateway", v)
	default:
		for _, f := range v.FieldList() {
			aboutTraffic(f.Value, kinds, into)
		}
		for _, item := range items(v) {
			aboutTraffic(item, kinds, into)
		}
	}
}

// networkPolicies is what the names of all kinds of network policies contain.
const networkPolicies = "NetworkPolic"

func items(v *loader.Value) []*loader.Value {
	if v == nil {
		return nil
	}
	return v.Items
}
