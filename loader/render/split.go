package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// maxSplits limits how often environments are split again.
const maxSplits = 8

// split divides units into environments, for all trees at once. There is one environment, unless
// objects of Gateway API or policies are declared twice, or one of them is deployed several times:
// the overlays of one base are never deployed to one cluster.
func (s *session) split(views []*tree.View, units [][]deploy.Unit) [][]deploy.Destination {
	p := splitter{session: s, units: units, disputes: make([][]dispute, len(views))}
	whole := area{name: ".", path: ".", units: make([][]int, len(views))}
	for i, v := range views {
		p.disputes[i] = p.disputed(v, units[i])
		if units[i] != nil {
			whole.units[i] = make([]int, len(units[i]))
		}
		for n := range units[i] {
			whole.units[i][n] = n
		}
	}
	p.divide(whole, 0)
	return p.destinations()
}

type splitter struct {
	session *session
	// units are those of each tree, disputes what several of them declare or deploy.
	units    [][]deploy.Unit
	disputes [][]dispute
	// undivided are the areas that no conflict divides.
	undivided []area
}

// dispute is an identity that several units declare, or a document that they deploy: the indexes of these
// units.
type dispute []int

// area is an environment that may be divided further. Its units are listed per tree, by their indexes; a
// tree without it has nil.
type area struct {
	name, path string
	// within is the name with that of the areas around it.
	within string
	units  [][]int
}

// divide splits an area at its outermost conflicts, then each part again.
func (p *splitter) divide(a area, depth int) {
	if inner := p.nested(a.units); len(inner) > 0 && depth < maxSplits {
		for _, part := range p.carved(a, grouped(inner)) {
			p.divide(part, depth+1)
		}
		return
	}
	children := outermost(p.conflicts(a.units))
	if len(children) == 0 || depth == maxSplits {
		p.undivided = append(p.undivided, a)
		return
	}
	for _, part := range p.parts(a, grouped(children)) {
		p.divide(part, depth+1)
	}
}

// destinations returns the areas of each tree as environments. Parts of several areas may have the same name; these
// are named with the areas around them or, if that is not enough, by their folder.
func (p *splitter) destinations() [][]deploy.Destination {
	for _, longer := range []func(area) string{func(a area) string { return a.within }, func(a area) string { return a.path }} {
		named := map[string]int{}
		for _, a := range p.undivided {
			named[a.name]++
		}
		for i, a := range p.undivided {
			if named[a.name] > 1 {
				p.undivided[i].name = longer(a)
			}
		}
	}
	out := make([][]deploy.Destination, len(p.units))
	for _, a := range p.undivided {
		for i, list := range a.units {
			if list == nil {
				continue
			}
			units := make([]deploy.Unit, len(list))
			for at, n := range list {
				units[at] = p.units[i][n]
			}
			out[i] = append(out[i], deploy.Destination{Name: a.name, Path: a.path, By: loader.ByFolders, Units: units})
		}
	}
	for i := range out {
		slices.SortFunc(out[i], func(a, b deploy.Destination) int { return cmp.Compare(a.Name, b.Name) })
	}
	return out
}

// parts returns the environments that an area is divided into. Each has the units in its own
// folders, and the units in none of the conflicting folders.
func (p *splitter) parts(a area, groups map[string][]string) []area {
	part := map[string]string{}
	for name, dirs := range groups {
		for _, dir := range dirs {
			part[dir] = name
		}
	}
	names := tree.Sorted(groups)
	out := make([]area, len(names))
	for n, name := range names {
		out[n] = area{name: name, path: groups[name][0], within: path.Join(a.within, path.Base(name)), units: make([][]int, len(a.units))}
	}
	for i, list := range a.units {
		var shared []int
		own := map[string][]int{}
		for _, u := range list {
			if name := ownerOf(part, p.units[i][u].Place()); name != "" {
				own[name] = append(own[name], u)
				continue
			}
			shared = append(shared, u)
		}
		for n, name := range names {
			if len(own[name]) > 0 {
				out[n].units[i] = slices.Concat(own[name], shared)
				slices.SortStableFunc(out[n].units[i], func(x, y int) int { return deploy.CompareUnits(p.units[i][x], p.units[i][y]) })
			}
		}
	}
	return out
}

// nested returns the outermost folders of builds that deploy, or declare, what a build in a folder around theirs does: an overlay
// and the tests below it.
func (p *splitter) nested(units [][]int) []string {
	found := map[string]bool{}
	for i, list := range units {
		p.eachNested(i, list, func(_, inner int) { found[p.units[i][inner].Dir] = true })
	}
	return outermost(tree.Sorted(found))
}

// eachNested visits the pairs of builds of a tree, out of some, that a dispute is about and of which one is in a folder below that of the
// other.
func (p *splitter) eachNested(i int, list []int, visit func(outer, inner int)) {
	within := make([]bool, len(p.units[i]))
	for _, u := range list {
		within[u] = p.units[i][u].Build
	}
	for _, d := range p.disputes[i] {
		at := map[string]int{}
		for _, u := range d {
			if within[u] {
				at[p.units[i][u].Dir] = u
			}
		}
		for dir, inner := range at {
			for above := path.Dir(dir); dir != "." && len(at) > 1; above = path.Dir(above) {
				if outer, ok := at[above]; ok {
					visit(outer, inner)
				}
				if above == "." {
					break
				}
			}
		}
	}
}

// carved returns the area without some folders below it, and an environment for each group of these. Such an environment has what no
// build around it deploys otherwise.
func (p *splitter) carved(a area, groups map[string][]string) []area {
	out := p.parts(a, groups)
	rest := area{name: a.name, path: a.path, within: a.within, units: make([][]int, len(a.units))}
	part := map[string]string{}
	for name, dirs := range groups {
		for _, dir := range dirs {
			part[dir] = name
		}
	}
	for i, list := range a.units {
		outer := map[int]bool{}
		p.eachNested(i, list, func(u, _ int) { outer[u] = true })
		for _, u := range list {
			if ownerOf(part, p.units[i][u].Place()) == "" {
				rest.units[i] = append(rest.units[i], u)
			}
		}
		for n := range out {
			out[n].units[i] = slices.DeleteFunc(out[n].units[i], func(u int) bool {
				return outer[u] && ownerOf(part, p.units[i][u].Place()) == ""
			})
		}
	}
	return append(out, rest)
}

// ownerOf returns the part that contains a place or a folder above it, or "".
func ownerOf(part map[string]string, place string) string {
	for dir := place; ; dir = path.Dir(dir) {
		if name := part[dir]; name != "" {
			return name
		}
		if dir == "." || dir == "/" {
			return ""
		}
	}
}

// grouped names the parts. A folder is named by its path. Folders with the same name below
// different common folders, such as staging and production of several applications, are one part
// with this name.
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

// conflicts returns the folders that declare the same identity, or deploy the same document, in any
// tree.
func (p *splitter) conflicts(units [][]int) []string {
	found := map[string]bool{}
	for i, list := range units {
		within := make([]bool, len(p.units[i]))
		for _, u := range list {
			within[u] = true
		}
		for _, d := range p.disputes[i] {
			var places []string
			for _, u := range d {
				if within[u] {
					places = append(places, folderOf(p.units[i][u]))
				}
			}
			separate(places, found)
		}
	}
	return tree.Sorted(found)
}

// disputed returns what several units of a tree declare or deploy. Identities count only if their
// namespace is written, but for Gateways with routes: examples beside each other declare one each, with what belongs to it.
func (p *splitter) disputed(v *tree.View, units []deploy.Unit) []dispute {
	places, deployed := claims[loader.ID]{}, claims[loader.Position]{}
	var out []dispute
	objects, routed := make([][]deploy.Object, len(units)), map[inFolder]bool{}
	for n, u := range units {
		objects[n] = p.session.applier.Apply(v, u).Objects
		for _, o := range objects[n] {
			for _, ref := range o.Root.List("spec", "parentRefs") {
				routed[inFolder{folderOf(u), ref.Str("name")}] = true
			}
		}
	}
	for n, u := range units {
		for _, d := range objects[n] {
			hasRoutes := d.Group == loader.GatewayGroup && d.Kind == "Gateway" && routed[inFolder{folderOf(u), d.Name}]
			if p.session.splits(d) && (d.Namespace != "" || hasRoutes) {
				places.add(&out, loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}, n)
			}
			if u.Build && (d.Subject() || d.Selects()) {
				deployed.add(&out, d.AsObject().First(), n)
			}
		}
	}
	return out
}

// claims maps a thing to the first unit that declares it or, below zero, to its dispute.
type claims[K comparable] map[K]int

func (c claims[K]) add(disputes *[]dispute, thing K, unit int) {
	switch known, ok := c[thing]; {
	case !ok:
		c[thing] = unit
	case known < 0:
		d := &(*disputes)[-known-1]
		*d = append(*d, unit)
	default:
		*disputes = append(*disputes, dispute{known, unit})
		c[thing] = -len(*disputes)
	}
}

// inFolder is a name that routes in a folder give as that of their Gateway.
type inFolder struct{ folder, name string }

// splits reports whether a second declaration of an object, of one namespace, splits environments.
func (s *session) splits(d deploy.Object) bool {
	return d.Name != "" && d.Subject() && !s.opts.ClusterScoped(d.Group, d.Kind)
}

// separate adds the folders below the common ones of several places. In the order
// of their segments neighbours are enough: each folder below a common one has a
// neighbour in another.
func separate(places []string, found map[string]bool) {
	if len(places) < 2 {
		return
	}
	slices.SortFunc(places, func(a, b string) int {
		return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
	})
	for i, place := range places[1:] {
		if _, a, b := tree.Common(places[i], place); a != "" && b != "" {
			found[a], found[b] = true, true
		}
	}
}

// folderOf returns the folder in which a unit declares objects. Two files of one folder never split
// environments: they are applied together, and the last one counts.
func folderOf(u deploy.Unit) string {
	if u.Build || len(u.Files) == 0 {
		return u.Dir
	}
	return path.Dir(u.Files[0])
}

// outermost returns the folders that are not inside another one.
func outermost(dirs []string) []string {
	part := make(map[string]string, len(dirs))
	for _, dir := range dirs {
		part[dir] = dir
	}
	return slices.DeleteFunc(dirs, func(dir string) bool { return ownerOf(part, path.Dir(dir)) != "" })
}
