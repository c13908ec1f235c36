package ocm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
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
		given := aboutTraffic(d.Root.Get("spec"), kinds)
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

// aboutTraffic returns the objects and templates within a value that are about traffic, under words that say so.
func aboutTraffic(v *loader.Value, kinds Kinds) *loader.Value {
	c := collecting{kinds: kinds, into: &loader.Value{Shape: loader.Map}, words: map[string]int{}}
	c.value(v)
	return c.into
}

type collecting struct {
	kinds Kinds
	into  *loader.Value
	// words counts the fields by their words.
	words map[string]int
}

func (c *collecting) value(v *loader.Value) {
	if v == nil {
		return
	}
	kind, raw := v.Str("kind"), v.Str("object-templates-raw")
	group, _ := tree.SplitVersion(v.Str("apiVersion"))
	switch {
	case strings.Contains(kind, networkPolicies) || strings.Contains(raw, networkPolicies):
		c.add("NetworkPolicy", v)
	case kind != "" && group != policyGroup && c.kinds.Matters != nil && c.kinds.Matters(group, kind, v):
		c.add(kind+" of a gateway", v)
	case strings.Contains(raw, loader.GatewayGroup):
		c.add("gateway", v)
	default:
		for _, f := range v.Fields {
			c.value(f.Value)
		}
		for _, item := range v.Items {
			c.value(item)
		}
	}
}

// add adds a field with a digest of a value, whose key is a word with the name of the value.
func (c *collecting) add(word string, v *loader.Value) {
	if name := v.Str("metadata", "name"); name != "" {
		word += " " + deploy.Clip(name)
	}
	if c.words[word]++; c.words[word] > 1 {
		word = fmt.Sprintf("%s, number %d of this name", word, c.words[word])
	}
	digest := loader.Digest(loader.ID{}, v)
	c.into.Fields = append(c.into.Fields, loader.Field{Key: word, Value: &loader.Value{Shape: loader.String, Text: hex.EncodeToString(digest[:])}})
}

// networkPolicies is what the names of all kinds of network policies contain.
const networkPolicies = "NetworkPolic"
