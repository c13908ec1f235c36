package unseen

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// ofUnresolved follows the name of what Applications that are not known may deploy.
const ofUnresolved = ", which Applications that are not known may deploy,"

// leftOut finds changed files that nothing deploys, if they are about traffic.
func (s *search) leftOut() {
	unresolved, uninstalled := hasUnresolvedSets(s), uninstalledCharts(s)
	elsewhere := s.Base.DeployedElsewhere && s.Head.DeployedElsewhere
	for _, file := range s.files.changed {
		spread := unresolved && !isApplied(s.Base, file) && !isApplied(s.Head, file) && slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(file))
		if dir, ok := chartAround(uninstalled, file); spread && ok && decidesChart(strings.TrimPrefix(file, dir+"/")) {
			continue // it is told with its chart
		}
		if !s.files.isLeftOut(file) && !spread || s.below(file) || slices.Contains([]string{".md", ".markdown", ".adoc", ".rst"}, path.Ext(file)) {
			continue // the examples of a text are no manifests
		}
		if servesTool(file) {
			continue
		}
		says, by := s.files.says(file), doubtful(file, s.Head, s.Base)
		if len(says) == 0 && (spread || by != nil || elsewhere) {
			says = s.files.saysUnread(file)
		}
		if len(says) == 0 && (!spread || loader.HasDottedStep(file)) {
			continue
		}
		u := s.files.entry(file, says)
		u.LeftOut = true
		if by != nil {
			u.What, u.LeftOut = fmt.Sprintf("%s of %s, which nothing in the tree applies,", file, by), false
		} else if unresolved {
			u.What, u.LeftOut = file+ofUnresolved, false
		} else if elsewhere {
			u.What, u.LeftOut = file+", which nothing in the tree deploys,", false
		}
		s.found = append(s.found, u)
	}
}

// servesTool reports whether a file is the state or the configuration of a tool that works on the repository, such as
// .secrets.baseline, which lists files by name. Deployers read dotted files that say what to leave out, and those that
// may be manifests.
func servesTool(file string) bool {
	name := path.Base(file)
	return strings.HasPrefix(name, ".") && !strings.HasSuffix(name, "ignore") &&
		!slices.Contains([]string{".yaml", ".yml", ".json", ".tpl"}, path.Ext(file))
}

// hasUnresolvedSets reports whether there is an ApplicationSet, or a chart of an Application, whose Applications are not known.
func hasUnresolvedSets(s *search) bool {
	return slices.ContainsFunc(slices.Concat(s.Base.Problems, s.Head.Problems), func(p loader.Problem) bool {
		return (p.Code == loader.UnresolvedSet || p.Code == loader.LimitApplications) && p.Severity != loader.Note
	})
}

// undeclared finds changed files of deployers whose own declaration cannot be read any more: these are still there, and apply
// the files.
func undeclared(s *search, pair applied.Pair) {
	if pair.Base == nil {
		return
	}
	unread := applied.UnreadableDeployers(pair.Name(), pair.Base, pair.Head, s.Base, s.Head)
	if len(unread) == 0 {
		return
	}
	told := map[string]bool{}
	for _, part := range pair.Base.Parts {
		if part.Deployer == nil || !unread[part.Deployer.ID] {
			continue
		}
		for _, file := range s.files.changedBelow([]string{part.Path}) {
			if says := s.files.says(file); len(says) > 0 && !told[file] && file != part.Deployer.At.File {
				told[file] = true
				u := s.files.entry(file, says)
				u.Environments = []string{pair.Name()}
				s.found = append(s.found, u)
			}
		}
	}
}

// submodules finds submodules that come, go or move to another commit.
func (s *search) submodules() {
	at := [2]map[string]bool{submodulesOf(s.Base), submodulesOf(s.Head)}
	for _, file := range s.files.changed {
		if !at[0][file] && !at[1][file] {
			continue
		}
		u := unseenFile("submodule "+file, file, plan.EditOf(at[0][file], at[1][file]), []string{})
		u.Opaque = true
		s.found = append(s.found, u)
	}
}

func submodulesOf(s *loader.Snapshot) map[string]bool {
	out := map[string]bool{}
	for _, p := range s.Problems {
		if p.Code == loader.Submodule {
			out[p.Position.File] = true
		}
	}
	return out
}

// below reports whether a file is part of something that could not be rendered. It is then reported
// with that.
func (s *search) below(file string) bool {
	for _, side := range []*loader.Snapshot{s.Base, s.Head} {
		for _, env := range side.Environments {
			for _, g := range env.Gaps {
				if slices.ContainsFunc(g.Roots, func(root string) bool { return loader.Within(root, file) }) {
					return true
				}
			}
		}
	}
	return false
}

// unread finds files whose changed lines are about routes, but from which neither side has an
// object that explains this. Kinds that gwplan does not know may create routes, too.
func (s *search) unread() {
	known := knownOf(s)
	deployed := func(file string) bool { return isApplied(s.Base, file) || isApplied(s.Head, file) }
	moved := s.files.moved()
	for _, file := range slices.Concat(s.files.changed, s.files.switched()) {
		if known.failed[file] && isManifest(file, deployed) && (s.files.unreadable(file) || len(s.files.says(file)) > 0) {
			s.found = append(s.found, s.files.entry(file, []string{"cannot be read"}))
			continue
		}
		if known.told.whole(file) || moved[file] || s.files.isLeftOut(file) {
			continue
		}
		says := known.told.says(file)
		switch {
		case len(says) > 0 && len(known.kinds[file]) == 0 && installs(file, deployed) && !deployed(file):
		case !isManifest(file, deployed) || path.Ext(file) == ".json" && !s.files.isObject(file):
			continue
		default:
			says = known.unexplained(file, says)
		}
		if len(says) > 0 {
			s.found = append(s.found, s.files.entry(file, says))
		}
	}
}

// knownFiles are what is known of the files of both sides: where something else tells what changes, which could not be read, and the
// kinds of the objects that were read from each.
type knownFiles struct {
	told   accounted
	failed map[string]bool
	kinds  map[string]map[string]bool
	// policies are the kinds that are known to be policies.
	policies map[string]bool
}

func knownOf(s *search) knownFiles {
	out := knownFiles{told: s.files.accounted(), failed: map[string]bool{}, kinds: map[string]map[string]bool{}, policies: map[string]bool{}}
	for _, u := range s.found {
		side := 1
		if u.Side == plan.InBase {
			side = 0
		}
		at := loader.Position{File: u.File, Line: u.Line}
		if u.What == u.File {
			at.Line = 0
		}
		out.told.alike(side, at)
	}
	for i, side := range []*loader.Snapshot{s.Base, s.Head} {
		for _, p := range side.Problems {
			out.told.add(i, p.Position)
			out.failed[p.Position.File] = out.failed[p.Position.File] || p.Severity == loader.Error && !p.AboutNoObject()
		}
		for _, env := range side.Environments {
			for _, g := range env.Gaps {
				out.told.add(i, g.Position)
				for _, file := range s.files.changedBelow(g.Roots) {
					out.told.add(i, loader.Position{File: file})
				}
			}
			for _, o := range slices.Concat(env.Objects, rejected(env), env.Workloads) {
				out.add(i, o, s.Table.Kind(o.ID.Group, o.ID.Kind) != nil || network.IsPolicy(o.ID))
			}
			for _, r := range env.Rejected {
				if r.OfNoKind() { // an error tells so
					out.read(r.Object)
					out.told.add(i, r.Object.First())
				}
			}
		}
	}
	return out
}

// add adds an object of a side. What was kept only because it may be a policy explains nothing.
func (k knownFiles) add(side int, o *loader.Object, isPolicy bool) {
	if o.ID.Kind == "HelmRelease" {
		k.told.add(side, o.First())
		for _, file := range o.Files {
			if file != o.First().File {
				k.told.add(side, loader.Position{File: file})
			}
		}
	} else if !isPolicy && !hierarchy.Needs(o.ID.Group, o.ID.Kind) {
		return
	}
	k.policies[o.ID.Kind] = k.policies[o.ID.Kind] || isPolicy
	k.read(o)
	for _, at := range slices.Concat(o.Inputs, o.Listed) {
		k.told.add(side, at)
	}
}

// read records the kind of an object for the files that it is from.
func (k knownFiles) read(o *loader.Object) {
	for _, file := range o.Files {
		if k.kinds[file] == nil {
			k.kinds[file] = map[string]bool{}
		}
		k.kinds[file][o.ID.Kind] = true
	}
}

// unexplained returns those words about traffic that no object which was read from the file explains.
func (k knownFiles) unexplained(file string, says []string) []string {
	return slices.DeleteFunc(slices.Clone(says), func(word string) bool {
		kind, attaches := loader.PartsOfWord(word)
		switch {
		case attaches != "":
			return k.kinds[file][kind] && k.policies[kind]
		case word == gatewayConfiguration:
			return false
		}
		return !decides(word) || accounts(k.kinds[file], word)
	})
}

// rejected are the objects of an environment that an API server rejects: they were read, too.
func rejected(env *loader.Environment) []*loader.Object {
	var out []*loader.Object
	for _, r := range env.Rejected {
		out = append(out, r.Object)
	}
	return out
}

// decides reports whether a word about traffic belongs to a Gateway, a route or a network policy, in
// whatever kind of object it is. Kinds begin with a capital letter, unlike fields such as recomputeRoute.
func decides(word string) bool {
	switch word {
	case "parentRefs", "gatewayClassName", "Gateway":
		return true
	}
	isKind := word != "" && word[0] >= 'A' && word[0] <= 'Z'
	return isKind && (loader.IsRoute(word) || strings.HasSuffix(word, "NetworkPolicy"))
}

// accounts reports whether one of the kinds read from a file contains such a word, which explains
// it.
func accounts(kinds map[string]bool, word string) bool {
	switch word {
	case "parentRefs":
		for kind := range kinds {
			if loader.IsRoute(kind) || kind == "ListenerSet" || kind == "XListenerSet" {
				return true
			}
		}
	case "gatewayClassName":
		word = "Gateway"
	}
	return kinds[word]
}

// gatewayConfiguration is the key of ConfigMaps that holds the configuration of Envoy Gateway
// itself: which extensions it calls, and what it accepts.
const gatewayConfiguration = "envoy-gateway.yaml"

// isManifest reports whether a deployer may apply a file unchanged.
func isManifest(file string, deployed func(file string) bool) bool {
	return mayApply(file, deployed) && slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(file)) && !strings.HasPrefix(path.Base(file), "values")
}

// mayApply reports whether a deployer may read a file where it is. It excludes parts of charts, schemas, and tests that are not
// known to be deployed. Folders that are put away count: what is applied from them is not known, and a change must not be missed
// because of a name.
func mayApply(file string, deployed func(file string) bool) bool {
	for segment := range strings.SplitSeq(path.Dir(file), "/") {
		switch segment {
		case "templates", "charts", "crds", "vendor", "node_modules":
			return false
		case "testdata", "test", "tests", "e2e":
			if !deployed(file) {
				return false
			}
		}
	}
	return !loader.HasDottedStep(path.Dir(file))
}

func isApplied(s *loader.Snapshot, file string) bool { return s.Applied != nil && s.Applied(file) }

// doubtful returns the deployer that would apply a file but is not known to be applied itself, or
// nil.
func doubtful(file string, snapshots ...*loader.Snapshot) *loader.Gap {
	var best *loader.Gap
	for _, s := range snapshots {
		for i := range s.Doubtful {
			if g := &s.Doubtful[i]; loader.Within(g.Roots[0], file) && (best == nil || len(g.Roots[0]) > len(best.Roots[0])) {
				best = g
			}
		}
	}
	return best
}

// listedOrBelow reports whether a file is in a list, or is in or below the folder of a kustomization in
// the list.
func listedOrBelow(list []string, file string) bool {
	return slices.ContainsFunc(list, func(left string) bool {
		return left == file || loader.IsKustomizationFile(left) && loader.Within(path.Dir(left), file)
	})
}
