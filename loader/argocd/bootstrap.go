package argocd

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// bootstrap is what is assumed to be installed by hand, so that Argo CD has something to apply.
type bootstrap struct {
	roots []deploy.Object
	// units are the charts that have further objects, for the cluster that Argo CD runs in.
	units []deploy.Unit
	notes []string
}

// bootstraps returns the charts of the tree that would render Applications. If no file contains an
// Application, these charts are presumably installed manually. Their values are then not known,
// so those of the charts are assumed.
func (s *Reader) bootstraps(v *tree.View, out *applications) (made bootstrap, err error) {
	for _, dir := range v.Charts {
		if v.InChart(path.Join(dir, "Chart.yaml")) {
			continue
		}
		makes, err := s.makesApplications(v, dir)
		if err != nil {
			return made, err
		}
		if !makes {
			continue
		}
		got := s.charts.Install(v, deploy.Bare(dir))
		found := 0
		for _, d := range got.Objects {
			if d.IsArgo() {
				made.roots, found = append(made.roots, d), found+1
			}
		}
		if found == 0 {
			s.charts.Forget(v, dir)
			continue
		}
		out.Problems = append(out.Problems, got.Problems...)
		if len(got.Objects) > found {
			made.units = append(made.units, deploy.Unit{Dir: dir, Release: deploy.Bare(dir)})
		}
		made.notes = append(made.notes, fmt.Sprintf("gwplan assumes that the chart %s, which has Applications, is installed with its default values in the cluster of Argo CD", deploy.Quote(dir)))
	}
	slices.SortStableFunc(made.roots, func(a, b deploy.Object) int { return strings.Compare(a.Files[0], b.Files[0]) })
	return made, nil
}

// makesApplications reports whether a template of a chart contains the group and the kind of an
// Application.
func (s *Reader) makesApplications(v *tree.View, dir string) (bool, error) {
	at := chartOf{v, dir}
	if makes, known := s.making[at]; known {
		return makes, nil
	}
	makes, err := s.mentionsApplications(v, dir)
	if err == nil {
		s.making[at] = makes
	}
	return makes, err
}

// chartOf is a chart in a folder of a tree.
type chartOf struct {
	view *tree.View
	dir  string
}

func (s *Reader) mentionsApplications(v *tree.View, dir string) (bool, error) {
	var ids []string
	for _, file := range v.AllBelow(path.Join(dir, "templates")) {
		ids = append(ids, v.IDs[file])
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	unread := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return s.store.Raw[id] != nil })
	if err := s.store.Keep(v.Tree.Blobs, unread); err != nil {
		return false, err
	}
	return slices.ContainsFunc(ids, func(id string) bool {
		return bytes.Contains(s.store.Raw[id], []byte(tree.ArgoGroup+"/")) && bytes.Contains(s.store.Raw[id], []byte(deploy.KindApplication))
	}), nil
}
