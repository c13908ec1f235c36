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

// Unreached returns what the policies and works of a hub would bring to managed clusters if the input has no managed
// cluster, because clusters are often imported by hand. It covers only what is about traffic, and no policy that only
// informs. A change of what places a policy or a work counts as a change of it.
func Unreached(objects []deploy.Object, kinds Kinds) []loader.Gap {
	by := placers(objects)
	var out []loader.Gap
	for _, d := range objects {
		isPolicy := d.Group == policyGroup && d.Kind == "Policy"
		if !isPolicy && (d.Kind != "ManifestWorkReplicaSet" || !strings.HasPrefix(d.Group, "work.")) {
			continue
		}
		given := aboutTraffic(d.Root.Get("spec"), kinds)
		if len(given.Fields) == 0 || isPolicy && strings.EqualFold(d.Root.Str("spec", "remediationAction"), "inform") {
			continue
		}
		o, placed := d.AsObject(), by.of(d)
		out = append(out, loader.Gap{
			Kind: d.Kind, Name: deploy.Clip(d.Name), By: o.ID, Position: o.First(), Content: loader.Digest(loader.ID{Name: placed}, d.Root), Placing: placed, Values: given,
		})
	}
	slices.SortFunc(out, func(a, b loader.Gap) int { return a.Position.Compare(b.Position) })
	return out
}

// placedBy are the objects of a hub that bring others to clusters, as digests: what applies to everything; for each policy and set of
// policies what names it, with the sets and placements that this leads to; and the placements by name. Names have their namespaces.
type placedBy struct {
	always     string
	naming     map[string][]lead
	placements map[string]string
	// sets caches what brings a set of policies to clusters.
	sets map[string]string
}

// lead is an object that names a policy or a set, and what it brings that to.
type lead struct{ digest, to string }

func placers(objects []deploy.Object) placedBy {
	out := placedBy{naming: map[string][]lead{}, placements: map[string]string{}, sets: map[string]string{}}
	var always []string
	for _, d := range objects {
		if !places(d) {
			continue
		}
		content := loader.Digest(d.AsObject().ID, d.Root)
		digest := hex.EncodeToString(content[:])
		name := func(kind, name string) string { return d.Namespace + " " + kind + " " + name }
		add := func(key, to string) { out.naming[key] = append(out.naming[key], lead{digest, to}) }
		switch {
		case d.Kind == "Placement" && d.Group == clusterGroup, d.Kind == "PlacementRule":
			out.placements[name(d.Kind, d.Name)] = digest
		case d.Kind == "PlacementBinding":
			for _, subject := range d.Root.List("subjects") {
				add(name(subject.Str("kind"), subject.Str("name")), name(d.Root.Str("placementRef", "kind"), d.Root.Str("placementRef", "name")))
			}
		case d.Kind == policySet:
			for _, policy := range d.Root.List("spec", "policies") {
				add(name("Policy", policy.Text), name(policySet, d.Name))
			}
		default:
			always = append(always, digest)
		}
	}
	out.always = sum(always)
	return out
}

const policySet = "PolicySet"

// places reports whether an object has a part in what reaches clusters.
func places(d deploy.Object) bool {
	return d.Group == clusterGroup || d.Kind == "PlacementBinding" || d.Kind == "PlacementRule" || d.Kind == policySet
}

// of identifies what brings an object to clusters.
func (p placedBy) of(d deploy.Object) string {
	found := []string{p.always}
	for _, l := range p.naming[d.Namespace+" "+d.Kind+" "+d.Name] {
		found = append(found, l.digest, p.placements[l.to])
		if strings.HasPrefix(l.to, d.Namespace+" "+policySet+" ") {
			found = append(found, p.set(l.to))
		}
	}
	for _, ref := range d.Root.List("spec", "placementRefs") {
		found = append(found, p.placements[d.Namespace+" Placement "+ref.Str("name")])
	}
	return "as placed by " + sum(found)
}

// set identifies what brings a set of policies to clusters: its bindings and their placements.
func (p placedBy) set(key string) string {
	known, ok := p.sets[key]
	if !ok {
		var found []string
		for _, l := range p.naming[key] {
			found = append(found, l.digest, p.placements[l.to])
		}
		known = sum(found)
		p.sets[key] = known
	}
	return known
}

// sum identifies some digests in any order.
func sum(digests []string) string {
	slices.Sort(digests)
	all := sha256.Sum256([]byte(strings.Join(digests, " ")))
	return hex.EncodeToString(all[:8])
}

// aboutTraffic returns the objects and templates within a value that are about traffic, under words that say so.
func aboutTraffic(v *loader.Value, kinds Kinds) *loader.Value {
	c := collecting{kinds: kinds, into: &loader.Value{Shape: loader.Map}, words: map[string]int{}}
	c.value(v, "")
	return c.into
}

type collecting struct {
	kinds Kinds
	into  *loader.Value
	// words counts the fields by their words.
	words map[string]int
}

// decisive are the fields of a policy and its templates that decide what becomes of the objects in it.
var decisive = []string{"complianceType", "disabled", "namespaceSelector", "pruneObjectBehavior", "remediationAction"}

// foreign are kinds that matter by what refers to them alone, which is not known of a cluster that the input does not have.
var foreign = []string{"ConfigMap", "CustomResourceDefinition", "Secret", "ServiceAccount"}

// value collects what a value has; around is what the values around it decide.
func (c *collecting) value(v *loader.Value, around string) {
	if v == nil {
		return
	}
	for _, field := range decisive {
		if f := v.Get(field); f != nil {
			digest := loader.Digest(loader.ID{Kind: field}, f)
			around += hex.EncodeToString(digest[:])
		}
	}
	kind, raw := v.Str("kind"), v.Str("object-templates-raw")
	group, _ := tree.SplitVersion(v.Str("apiVersion"))
	switch {
	case strings.Contains(kind, networkPolicies) || strings.Contains(raw, networkPolicies):
		c.add("NetworkPolicy", v, around)
	case kind != "" && group != policyGroup && !slices.Contains(foreign, kind) && c.kinds.Matters != nil && c.kinds.Matters(group, kind, v):
		c.add(kind+" for gateways", v, around)
	case strings.Contains(raw, loader.GatewayGroup):
		c.add("gateway", v, around)
	default:
		for _, f := range v.Fields {
			c.value(f.Value, around)
		}
		for _, item := range v.Items {
			c.value(item, around)
		}
	}
}

// add adds a field with a digest of a value, whose key is a word with the name of the value.
func (c *collecting) add(word string, v *loader.Value, around string) {
	if name := v.Str("metadata", "name"); name != "" {
		word += " " + deploy.Clip(name)
	}
	if c.words[word]++; c.words[word] > 1 {
		word = fmt.Sprintf("%s, number %d of this name", word, c.words[word])
	}
	digest := loader.Digest(loader.ID{Name: around}, v)
	c.into.Fields = append(c.into.Fields, loader.Field{Key: word, Value: &loader.Value{Shape: loader.String, Text: hex.EncodeToString(digest[:])}})
}

// networkPolicies is what the names of all kinds of network policies contain.
const networkPolicies = "NetworkPolic"
