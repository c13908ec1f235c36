package render

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
)

// bootstraps are the Applications that charts of the tree would make. Where no
// Application stands in a file, somebody installs one of these charts by hand, with
// values that are not known: those of the chart are assumed.
func (s *argocd) bootstraps(v *view, out *applications) (roots []declared, notes []string, err error) {
	for _, dir := range v.charts {
		if v.inChart(path.Join(dir, "Chart.yaml")) {
			continue
		}
		makes, err := s.makesApplications(v, dir)
		if err != nil {
			return nil, nil, err
		}
		if !makes {
			continue
		}
		got := s.charts.install(v, bare(dir))
		found := 0
		for _, d := range got.objects {
			if d.isArgo() {
				roots, found = append(roots, d), found+1
			}
		}
		if found == 0 {
			s.charts.forget(v, dir)
			continue
		}
		out.problems = append(out.problems, got.problems...)
		notes = append(notes, fmt.Sprintf("the Applications that the chart %s makes are assumed to be installed, with the values of the chart; its other objects are left out", quote(dir)))
	}
	slices.SortStableFunc(roots, func(a, b declared) int { return strings.Compare(a.files[0], b.files[0]) })
	return roots, notes, nil
}

// makesApplications says whether templates of a chart hold the words of an
// Application.
func (s *argocd) makesApplications(v *view, dir string) (bool, error) {
	var ids []string
	for _, file := range v.allBelow(path.Join(dir, "templates")) {
		ids = append(ids, v.ids[file])
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	unread := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return s.store.raw[id] != nil })
	if err := s.store.batches(v.tree.Blobs, unread, s.store.keep); err != nil {
		return false, err
	}
	return slices.ContainsFunc(ids, func(id string) bool {
		return bytes.Contains(s.store.raw[id], []byte(argoGroup+"/")) && bytes.Contains(s.store.raw[id], []byte(kindApplication))
	}), nil
}
