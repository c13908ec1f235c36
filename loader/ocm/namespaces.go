package ocm

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// scattered is an object that a policy gives to each namespace that a selector chooses.
type scattered struct {
	placed   *placed
	root     *loader.Value
	selector *loader.Value
	how      compliance
}

// scatter adds the object to the namespaces that are chosen: those that the selector names, and of the known
// ones those that match its patterns and labels. Which others the cluster has is not known
// (config-policy-controller pkg/common, namespace selection: include, exclude and labels all have to
// match; an empty include is all if there are labels).
func (c *Cluster) scatter(s scattered, known []string) {
	include, exclude := s.selector.List("include"), s.selector.List("exclude")
	byLabels := !s.selector.Get("matchLabels").IsNull() || !s.selector.Get("matchExpressions").IsNull()
	if len(include) == 0 && !byLabels || !c.hub.effort.spend((1+len(known))*(1+len(include)+len(exclude))) {
		return
	}
	var named, open []string // namespaces that only the selector names, and what others may match
	for _, item := range include {
		switch _, has := c.given[item.Text]; {
		case has:
		case strings.ContainsAny(item.Text, `*?[\`):
			open = append(open, deploy.Quote(item.Text))
		case !byLabels:
			named = append(named, item.Text)
		}
	}
	if byLabels {
		open = append(open, "its labels")
	}
	for _, name := range slices.Concat(known, named) {
		if len(include) > 0 && !anyPattern(include, name) || anyPattern(exclude, name) {
			continue
		}
		if byLabels {
			if ok, err := loader.Selects(s.selector, c.given[name]); c.given[name] == nil || err != nil || !ok {
				continue // without labels it is one that open speaks of
			}
		}
		c.add(s.placed, inNamespace(s.root, name), s.how)
	}
	if len(open) > 0 {
		c.report(s.placed, s.selector, "are not all known", "which other namespaces match "+spelling.And(open)+" is known in the cluster")
	}
}

// note records the namespace that an object is, or is in.
func (c *Cluster) note(o deploy.Object) {
	switch {
	case o.Group == "" && o.Kind == "Namespace":
		labels := labelsOf(o)
		maps.Copy(labels, c.given[o.Name]) // another policy may give more
		labels["kubernetes.io/metadata.name"] = o.Name
		c.given[o.Name] = labels
	case o.Namespace != "" && c.given[o.Namespace] == nil:
		c.given[o.Namespace] = nil
	}
}

// anyPattern reports whether a name matches one of the patterns. A pattern that cannot be read matches none.
func anyPattern(patterns []*loader.Value, name string) bool {
	return slices.ContainsFunc(patterns, func(p *loader.Value) bool {
		ok, err := path.Match(p.Text, name)
		return err == nil && ok
	})
}
