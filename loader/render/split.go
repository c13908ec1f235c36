package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// maxSplits bounds how often environments are split again.
const maxSplits = 8

// split makes environments of units, for all trees at once. They are one,
// except where objects of Gateway API or policies are declared twice.
func (s *session) split(views []*view, units [][]unit) [][]environment {
	p := splitter{session: s, views: views, out: make([][]environment, len(views))}
	p.divide(area{name: ".", path: ".", units: units}, 0)
	for i := range p.out {
		slices.SortFunc(p.out[i], func(a, b environment) int { return cmp.Compare(a.name, b.name) })
	}
	return p.out
}

type splitter struct {
	session *session
	views   []*view
	out     [][]environment
}

// area is an environment that may be divided further. Its units are given per
// tree; own says which trees have it at all.
type area struct {
	name, path string
	units      [][]unit
}

// conflict is a pair of folders below a common one that declare one identity.
type conflict struct{ dir, a, b string }

// divide splits an area at its outermost conflicts, then each part again.
func (p *splitter) divide(a area, depth int) {
	children := outermost(p.conflicts(a.units))
	if len(children) == 0 || depth == maxSplits {
		for i, units := range a.units {
			if units != nil {
				p.out[i] = append(p.out[i], environment{name: a.name, path: a.path, units: units})
			}
		}
		return
	}
	parts := grouped(children)
	for _, name := range sorted(parts) {
		p.divide(p.part(a, name, parts[name], children), depth+1)
	}
}

// part is one of the environments that an area becomes: what lies in its own
// folders, and what lies in none of the conflicting ones.
func (p *splitter) part(a area, name string, own, all []string) area {
	out := area{name: name, path: own[0], units: make([][]unit, len(a.units))}
	for i, units := range a.units {
		var kept []unit
		mine := false
		for _, u := range units {
			inOwn := below(own, u.place())
			if inOwn || !below(all, u.place()) {
				kept = append(kept, u)
			}
			mine = mine || inOwn
		}
		if mine {
			out.units[i] = kept
		}
	}
	return out
}

func below(dirs []string, place string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return within(dir, place) })
}

// grouped names the parts: a folder by its path; folders that stand in several
// common ones, as staging and production of several applications, are one part
// by their own name.
func grouped(children []string) map[string][]string {
	byBase := map[string][]string{}
	for _, child := range children {
		byBase[path.Base(child)] = append(byBase[path.Base(child)], child)
	}
	parts := map[string][]string{}
	for base, list := range byBase {
		if len(list) == 1 {
			parts[list[0]] = list
			continue
		}
		parts[base] = list
	}
	return parts
}

// conflicts finds the identities that several folders declare, in any tree.
// Only namespaces that are written count: an assumed one splits nothing.
func (p *splitter) conflicts(units [][]unit) []conflict {
	seen := map[conflict]bool{}
	for i, v := range p.views {
		places := map[loader.ID][]string{}
		for _, u := range units[i] {
			for _, d := range p.session.apply(v, u).objects {
				if d.namespace != "" && d.name != "" && d.subject() {
					id := d.object().ID
					places[id] = append(places[id], folderOf(u))
				}
			}
		}
		for _, list := range places {
			slices.Sort(list)
			list = slices.Compact(list)
			for j := 1; j < len(list); j++ {
				p.pairs(list[:j], list[j], seen)
			}
		}
	}
	out := make([]conflict, 0, len(seen))
	for c := range seen {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b conflict) int {
		return cmp.Or(cmp.Compare(a.dir, b.dir), cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
	})
	return out
}

// pairs notes the conflicts of one folder with those before it.
func (p *splitter) pairs(before []string, folder string, seen map[conflict]bool) {
	for _, other := range before {
		dir, a, b := common(other, folder)
		if a == "" || b == "" {
			continue
		}
		seen[conflict{dir, a, b}] = true
	}
}

// folderOf is the folder that a unit declares in. Two files of one folder never
// make environments: applied together, the last one counts.
func folderOf(u unit) string {
	if u.build {
		return u.dir
	}
	return path.Dir(u.files[0])
}

// outermost gives the conflicting folders that lie in no other one.
func outermost(conflicts []conflict) []string {
	var all []string
	for _, c := range conflicts {
		all = append(all, c.a, c.b)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(slices.Clone(all), func(dir string) bool {
		return slices.ContainsFunc(all, func(other string) bool { return strings.HasPrefix(dir, other+"/") })
	})
}
