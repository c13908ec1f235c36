package render

import "fmt"

// leaveOut names what lies beside all that deployers apply: nothing deploys it.
func (s *session) leaveOut(v *view, f deployments, l *layout) {
	covers := map[string]bool{}
	for _, c := range f.clusters {
		for file := range c.covers {
			covers[file] = true
		}
	}
	// Somebody applies these by hand.
	for _, e := range f.live {
		covers[e.file] = true
	}
	for _, file := range f.roots {
		covers[file] = true
	}
	for _, u := range s.unitsBelow(v, ".") {
		first := u.place()
		if u.build {
			first = v.kusts[u.dir][0]
		}
		if !covers[first] && (u.build || s.store.file(v.ids[first]).Manifest) {
			l.left = append(l.left, first)
		}
	}
	l.notes = append(l.notes, leftOut(len(l.left))...)
}

// leftOut says how much is deployed by nothing.
func leftOut(n int) []string {
	switch n {
	case 0:
		return nil
	case 1:
		return []string{"1 file or kustomization beside what is deployed is left out: nothing deploys it"}
	}
	return []string{fmt.Sprintf("%d files and kustomizations beside what is deployed are left out: nothing deploys them", n)}
}
