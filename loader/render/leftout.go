package render

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// leaveOut records the files that no deployer applies: nothing deploys them.
func (s *session) leaveOut(v *tree.View, f deployers, l *layout) {
	covers := map[string]bool{}
	for _, c := range f.Clusters {
		for file := range c.Covers {
			covers[file] = true
		}
	}
	l.covers = covers
	for _, e := range f.Entries {
		if e.Ok && !e.Unlisted && e.Dir != "." && !covers[e.File] && !putAway(e.File) && !putAway(e.Dir+"/") {
			l.doubtful = append(l.doubtful, loader.Gap{Kind: loader.FluxGap, Name: deploy.Clip(e.Object.ID.Name), Position: e.Object.First(), Roots: []string{e.Dir}})
		}
	}
	covers = maps.Clone(covers)
	// These are applied by hand.
	for _, e := range f.Live {
		covers[e.File] = true
	}
	for _, file := range f.roots {
		covers[file] = true
	}
	roots := false
	for _, u := range s.applier.UnitsBelow(v, ".") {
		first := u.Place()
		if u.Build {
			first = v.Kusts[u.Dir][0]
		}
		// What the source of Flux leaves out on purpose is no oversight.
		if !covers[first] && s.flux.Site(v).Has(first) && (u.Build || s.store.File(v.IDs[first]).Manifest) {
			l.left = append(l.left, first)
			roots = roots || u.Build && !putAway(first)
		}
	}
	l.elsewhere = roots && s.mostLeft(v, covers) || slices.ContainsFunc(f.Clusters, func(c deploy.Cluster) bool { return c.Artifacts })
	l.notes = append(l.notes, leftOut(len(l.left))...)
}

// perApplied is how many files that nothing deploys there are for each that is deployed where something outside of a tree probably
// deploys them, such as Applications that Terraform makes. One folder that is switched off is no sign of it.
const perApplied = 2

// mostLeft reports whether deployers apply only a small part of what is to be deployed in a tree, besides other deployers.
func (s *session) mostLeft(v *tree.View, covers map[string]bool) bool {
	declares := map[string]bool{}
	for _, d := range s.store.Deployers(v) {
		declares[d.File] = true
	}
	applied, left := 0, 0
	for _, file := range v.Manifests {
		switch {
		case declares[file] || !s.store.File(v.IDs[file]).Manifest:
		case covers[file]:
			applied++
		case !putAway(file) && !v.InChart(file):
			left++
		}
	}
	return left > perApplied*applied
}

// unreadable returns the problems with files that declare deployers in some tree and cannot be read in this one, or not
// as a whole, if no deployer applies them: what they declare stays in the cluster as it was, because nothing can apply
// them.
func (s *session) unreadable(v *tree.View, views []*tree.View, covers map[string]bool) []loader.Problem {
	var out []loader.Problem
	told := map[string]bool{}
	for _, other := range views {
		for _, d := range s.store.Deployers(other) {
			if id := v.IDs[d.File]; id != "" && !covers[d.File] && !told[d.File] {
				told[d.File] = true
				for _, p := range s.store.File(id).Problems {
					p.Position.File = d.File
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// putAway reports whether a file is in a folder of things that are no longer used, or of samples.
func putAway(file string) bool {
	for segment := range strings.SplitSeq(path.Dir(file), "/") {
		if loader.IsPutAway(segment) {
			return true
		}
	}
	return tree.Dotted(file)
}

// leftOut returns a note on how many files nothing deploys.
func leftOut(n int) []loader.Assumption {
	out := loader.Assumption{About: "ignored files"}
	switch n {
	case 0:
		return nil
	case 1:
		out.Text = "1 file or kustomization is ignored because no known deployer applies it"
	default:
		out.Text = fmt.Sprintf("%d files and kustomizations are ignored because no known deployer applies them", n)
	}
	return []loader.Assumption{out}
}
