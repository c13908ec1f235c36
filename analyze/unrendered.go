package analyze

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// unrendered lists what two revisions of an environment would render differently
// and nobody here can: releases of charts that are not at hand.
func unrendered(base, head *loader.Environment) []string {
	if base == nil || head == nil {
		return nil
	}
	var out []string
	type key struct{ what, namespace string }
	known, told := map[key][]loader.Gap{}, map[loader.Position]bool{}
	for _, g := range base.Gaps {
		known[key{g.What, g.Namespace}] = append(known[key{g.What, g.Namespace}], g)
	}
	for _, g := range head.Gaps {
		if g.Content == [16]byte{} {
			continue
		}
		told[g.Position] = true
		same := slices.ContainsFunc(known[key{g.What, g.Namespace}], func(was loader.Gap) bool { return was.Content == g.Content })
		if !same {
			out = append(out, fmt.Sprintf("%s (%s)", g.What, g.Position))
		}
	}
	// Of a release whose chart nothing names there is the object alone.
	before := byID(base)
	for _, o := range head.Objects {
		if o.ID.Kind != "HelmRelease" || o.Context || told[o.First()] {
			continue
		}
		if was := before[o.ID]; was == nil || was.Digest != o.Digest {
			out = append(out, fmt.Sprintf("HelmRelease %s (%s)", o.ID.Name, o.First()))
		}
	}
	// What is taken out gives nothing any more.
	after, rendered := byID(head), map[loader.ID]bool{}
	for _, o := range head.Objects {
		if o.Deployer != nil {
			rendered[o.Deployer.ID] = true
		}
	}
	for _, o := range base.Objects {
		if o.ID.Kind == "HelmRelease" && !o.Context && after[o.ID] == nil && !rendered[o.ID] {
			out = append(out, fmt.Sprintf("HelmRelease %s (%s, removed)", o.ID.Name, o.First()))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// unrenderedNote says what changed out of sight.
func unrenderedNote(list []string) []string {
	const what = "what their charts render, routes and Services among it, may change out of sight"
	switch n := len(list); {
	case n == 0:
		return nil
	case n == 1:
		return []string{list[0] + " changes and is not rendered: what its chart gives, routes and Services among it, may change out of sight"}
	case n <= 3:
		return []string{fmt.Sprintf("%d releases change and are not rendered: %s; %s", n, strings.Join(list, ", "), what)}
	default:
		return []string{fmt.Sprintf("%d releases change and are not rendered: %s and %d more; %s", n, strings.Join(list[:3], ", "), n-3, what)}
	}
}
