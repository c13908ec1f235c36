package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/differential/world"
)

// shrinkAll writes a small world for each of some kinds of disagreement.
func (c *court) shrinkAll(r *report, kinds []string, folder string) error {
	if len(kinds) == 0 {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, kind := range kinds {
		v, err := c.smallest(r.kinds[kind], kind)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, r.name+"-"+fileName(kind)+".yaml"), []byte(render(v, r.describe(kind))), 0o644); err != nil {
			return err
		}
	}
	return nil
}

var unusual = regexp.MustCompile(`[^A-Za-z0-9]+`)

func fileName(kind string) string {
	name := strings.Trim(unusual.ReplaceAllString(kind, "-"), "-")
	return name[:min(len(name), 110)]
}

// render is a world as YAML, of which JSON is a part, below what is disagreed about.
func render(v verdict, title string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", title)
	for _, d := range v.disagreements {
		fmt.Fprintf(&b, "# %s: %s: want %s, got %s\n", d.place, d.what, d.want, d.got)
	}
	for _, o := range v.objects {
		data, _ := json.MarshalIndent(o, "", "  ") // plain values
		fmt.Fprintf(&b, "---\n%s\n", data)
	}
	return b.String()
}

// classed says whether a world has the class that its Gateways name. Without it gwplan does not know who judges them.
func (c *court) classed(objects []world.Object) bool {
	return c.dialect.BuiltinClasses || slices.ContainsFunc(objects, func(o world.Object) bool {
		return o.Kind() == "GatewayClass" && o.Name() == c.dialect.Classes[0] && o.String("spec", "controllerName") == c.dialect.Controller
	})
}

// smallest takes from the smallest world with a kind of disagreement what it can do without.
func (c *court) smallest(seeds []uint64, kind string) (verdict, error) {
	objects := world.New(seeds[0], c.dialect)
	for _, seed := range seeds[1:] {
		if other := world.New(seed, c.dialect); len(other) < len(objects) {
			objects = other
		}
	}
	best, err := c.try(objects)
	if err != nil {
		return best, err
	}
	tries := 0
	shows := func(objects []world.Object) bool {
		if tries++; tries > 500 || !c.classed(objects) {
			return false
		}
		v, err := c.try(objects)
		ok := err == nil && slices.ContainsFunc(v.disagreements, func(d disagreement) bool { return d.kind() == kind })
		if ok {
			best = v
		}
		return ok
	}
	for step := max(1, len(best.objects)/2); step > 0; step /= 2 {
		for i := 0; i < len(best.objects); {
			if !shows(slices.Delete(slices.Clone(best.objects), i, min(i+step, len(best.objects)))) {
				i += step
			}
		}
	}
	for again := true; again; {
		again = false
		for i := 0; i < len(best.objects); i++ {
			for _, less := range best.objects[i].Less() {
				objects := slices.Clone(best.objects)
				objects[i] = less
				if shows(objects) {
					again = true
					break // the ways of the object as it was are no longer those of the object
				}
			}
		}
	}
	return best, nil
}
