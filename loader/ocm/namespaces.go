package ocm

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// scattered is an object that a policy gives to each namespace that a selector chooses.
type scattered struct {
	placed     *placed
	root       *loader.Value
	selector   *loader.Value
	compliance string
}

// scatter adds the object to the namespaces that are chosen: those that the selector names, and of those that
// the policies of the cluster give or use, the ones that match its patterns and labels. Which others the cluster
// has is not known (config-policy-controller pkg/common, namespace selection: include, exclude and labels
// all have to match, an empty include is all if there are labels).
func (c *Cluster) scatter(s scattered) {
	include, exclude := s.selector.List("include"), s.selector.List("exclude")
	byLabels := !s.selector.Get("matchLabels").IsNull() || !s.selector.Get("matchExpressions").IsNull()
	if len(include) == 0 && !byLabels {
		return
	}
	var open []string // what other namespaces may match
	known := c.namespaces()
	for _, item := range include {
		if _, has := known[item.Text]; has {
			continue
		}
		if strings.ContainsAny(item.Text, `*?[\`) {
			open = append(open, deploy.Quote(item.Text))
		} else if !byLabels {
			known[item.Text] = nil
		}
	}
	if byLabels {
		open = append(open, "its labels")
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if len(include) > 0 && !anyPattern(include, name) || anyPattern(exclude, name) {
			continue
		}
		if byLabels {
			labels := known[name]
			if labels == nil {
				continue // the namespace is not in the input: one that open speaks of
			}
			if ok, err := loader.Selects(s.selector, labels); err != nil || !ok {
				continue
			}
		}
		c.add(s.placed.policy, inNamespace(s.root, name), s.placed.inputs, s.compliance)
	}
	if len(open) > 0 {
		c.report(s.placed, s.selector, "are not all known", "which other namespaces match "+strings.Join(open, " and ")+" is known in the cluster")
	}
}

// namespaces returns the namespaces that the cluster is given or that its objects are in, with the labels
// of those that are given and nil for the others.
func (c *Cluster) namespaces() map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, o := range c.Objects {
		switch {
		case o.Group == "" && o.Kind == "Namespace":
			labels := labelsOf(o)
			labels["kubernetes.io/metadata.name"] = o.Name
			out[o.Name] = labels
		case o.Namespace != "" && out[o.Namespace] == nil:
			out[o.Namespace] = nil
		}
	}
	return out
}

// anyPattern reports whether a name matches one of the patterns. A pattern that cannot be read matches none.
func anyPattern(patterns []*loader.Value, name string) bool {
	return slices.ContainsFunc(patterns, func(p *loader.Value) bool {
		ok, err := path.Match(p.Text, name)
		return err == nil && ok
	})
}
