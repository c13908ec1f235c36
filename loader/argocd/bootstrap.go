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

// bootstraps returns the Applications that charts of the tree would render. If no file contains an
// Application, one of these charts is presumably installed manually. Its values are then not known,
// so those of the chart are assumed.
func (s *Reader) bootstraps(v *tree.View, out *applications) (roots []deploy.Object, notes []string, err error) {
	for _, dir := range v.Charts {
		if v.InChart(path.Join(dir, "Chart.yaml")) {
			continue
		}
		makes, err := s.makesApplications(v, dir)
		if err != nil {
			return nil, nil, err
		}
		if !makes {
			continue
		}
		got := s.charts.Install(v, deploy.Bare(dir))
		found := 0
		for _, d := range got.Objects {
			if d.IsArgo() {
				roots, found = append(roots, d), found+1
			}
		}
		if found == 0 {
			s.charts.Forget(v, dir)
			continue
		}
		out.Problems = append(out.Problems, got.Problems...)
		notes = append(notes, fmt.Sprintf("gwplan assumes that the Applications of the chart %s are installed with the default values of the chart; it ignores the other objects of the chart", deploy.Quote(dir)))
	}
	slices.SortStableFunc(roots, func(a, b deploy.Object) int { return strings.Compare(a.Files[0], b.Files[0]) })
	return roots, notes, nil
}

// makesApplications reports whether a template of a chart contains the group and the kind of an
// Application.
func (s *Reader) makesApplications(v *tree.View, dir string) (bool, error) {
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
