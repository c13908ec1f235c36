package helm

import (
	"fmt"
	"slices"
	"strings"
)

// ProcessDependencies removes the charts that conditions and tags disable, renames others to their
// aliases, and imports the values that a dependency exports (helm
// pkg/chart/v2/util/dependencies.go). It changes the chart.
func ProcessDependencies(c *Chart, values map[string]any) error {
	if err := c.enable(values, ""); err != nil {
		return err
	}
	return c.importAll()
}

// enable removes the disabled dependencies (processDependencyEnabled).
func (c *Chart) enable(values map[string]any, path string) error {
	if c.Metadata.Dependencies == nil {
		return nil
	}
	c.name()
	for _, d := range c.Metadata.Dependencies {
		d.Enabled = true
	}
	all, err := coalesced(c, values)
	if err != nil {
		return err
	}
	tags, _ := table(all, "tags")
	off := map[string]bool{}
	for _, d := range c.Metadata.Dependencies {
		if tags != nil {
			d.tag(tags)
		}
		d.condition(all, path)
		if !d.Enabled {
			off[d.Name] = true
		}
	}
	subs := slices.DeleteFunc(slices.Clone(c.subs), func(sub *Chart) bool { return off[sub.Name()] })
	for _, sub := range subs {
		if err := sub.enable(all, path+sub.Name()+"."); err != nil {
			return err
		}
	}
	c.Metadata.Dependencies = slices.DeleteFunc(slices.Clone(c.Metadata.Dependencies), func(d *Dependency) bool { return off[d.Name] })
	if len(c.Metadata.Dependencies) == 0 {
		c.Metadata.Dependencies = nil
	}
	c.hold(subs)
	return nil
}

// name gives each dependency a separate copy of its chart, under its alias if it has one.
func (c *Chart) name() {
	subs := slices.DeleteFunc(slices.Clone(c.subs), func(sub *Chart) bool {
		return slices.ContainsFunc(c.Metadata.Dependencies, func(d *Dependency) bool {
			return sub.Name() == d.Name && inRange(d.Version, sub.Metadata.Version)
		})
	})
	for _, d := range c.Metadata.Dependencies {
		if sub := d.chart(c.subs); sub != nil {
			subs = append(subs, sub)
		}
		if d.Alias != "" {
			d.Name = d.Alias
		}
	}
	c.hold(subs)
}

// chart returns the chart of a dependency, nil if there is none. It copies what will be changed
// (getAliasDependency).
func (d *Dependency) chart(of []*Chart) *Chart {
	i := slices.IndexFunc(of, func(c *Chart) bool { return c.Name() == d.Name && inRange(d.Version, c.Metadata.Version) })
	if i < 0 {
		return nil
	}
	out := *of[i]
	metadata := *out.Metadata
	metadata.Dependencies = nil
	for _, inner := range out.Metadata.Dependencies {
		inner := *inner
		metadata.Dependencies = append(metadata.Dependencies, &inner)
	}
	if d.Alias != "" {
		metadata.Name = d.Alias
	}
	out.Metadata = &metadata
	out.Templates = slices.Clone(out.Templates)
	subs := make([]*Chart, len(out.subs))
	for i, sub := range out.subs {
		own := *sub
		subs[i] = &own
	}
	out.hold(subs)
	return &out
}

// tag sets Enabled by tags: one enabled tag overrides all disabled ones (processDependencyTags).
func (d *Dependency) tag(tags map[string]any) {
	var on, off bool
	for _, name := range d.Tags {
		if v, ok := tags[name].(bool); ok {
			on, off = on || v, off || !v
		}
	}
	d.Enabled = on || !off
}

// condition sets Enabled by the first condition that has a boolean value
// (processDependencyConditions).
func (d *Dependency) condition(values map[string]any, path string) {
	for condition := range strings.SplitSeq(strings.TrimSpace(d.Condition), ",") {
		if condition == "" {
			continue
		}
		v, _ := valueAt(values, path+condition)
		if on, ok := v.(bool); ok {
			d.Enabled = on
			return
		}
	}
}

// importAll imports values into a chart and its subcharts (processDependencyImportValues).
func (c *Chart) importAll() error {
	for _, sub := range c.subs {
		if err := sub.importAll(); err != nil {
			return err
		}
	}
	if c.Metadata.Dependencies == nil {
		return nil
	}
	values, err := merged(c, nil)
	if err != nil {
		return err
	}
	imported := map[string]any{}
	for _, d := range c.Metadata.Dependencies {
		d.imports(values, imported)
	}
	c.Values = coalesceTables(copied(values), imported, true)
	return nil
}

// imports adds the values that a dependency exports and the chart imports (processImportValues).
func (d *Dependency) imports(values, into map[string]any) {
	asked := d.ImportValues
	d.ImportValues = nil
	for _, v := range asked {
		var child, parent string
		switch v := v.(type) {
		case map[string]any:
			child, parent = fmt.Sprint(v["child"]), fmt.Sprint(v["parent"])
		case string:
			child, parent = "exports."+v, "."
		default:
			continue
		}
		d.ImportValues = append(d.ImportValues, map[string]string{"child": child, "parent": parent})
		exported, ok := table(values, d.Name+"."+child)
		if !ok {
			continue
		}
		if parent != "." {
			keys := strings.Split(parent, ".")
			for _, key := range slices.Backward(keys) {
				exported = map[string]any{key: exported}
			}
		}
		coalesceTables(into, exported, true)
	}
}
