package unseen

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/analyze/upgrade"
	"github.com/gwplan/gwplan/loader"
)

// imageLine matches an image with a tag, as workloads and values have it.
var imageLine = regexp.MustCompile(`\bimage["']?\s*:\s*["']?([a-z0-9][\w./-]*):([\w.+-]+)`)

// images finds images of controllers that go to another minor release in a manifest: workloads are read only where something selects
// them, and so the release is not known from them.
func images(s *search) {
	deployed := func(file string) bool { return isApplied(s.Base, file) || isApplied(s.Head, file) }
	for _, file := range s.files.changed {
		if !isManifest(file, deployed) || s.files.isLeftOut(file) {
			continue
		}
		was, is := s.files.releases(0, file), s.files.releases(1, file)
		for _, p := range upgrade.All() {
			before, after := was[p], is[p]
			if before.Text == "" || after.Text == "" || before.Version == after.Version || toldRelease(s, p) {
				continue
			}
			s.found = append(s.found, plan.Unseen{
				What: "the image of " + p.Name, Change: plan.EditChanged, Environments: []string{}, File: file, Line: after.At.Line, Column: 1,
				Says: []string{"from " + before.Text + " to " + after.Text}, ForOthers: true,
			})
		}
	}
}

// toldRelease reports whether a finding tells of another release of a project.
func toldRelease(s *search, p *upgrade.Project) bool {
	return slices.ContainsFunc(s.Plan, func(env plan.Environment) bool {
		return slices.ContainsFunc(env.Findings, func(f plan.Finding) bool {
			return f.Rule == rule.ControllerUpgraded && f.Target == p.Name
		})
	})
}

// releases returns what the changed lines of one side of a file say of the images of controllers.
func (e *fileEdits) releases(side int, file string) map[*upgrade.Project]upgrade.Installed {
	out := map[*upgrade.Project]upgrade.Installed{}
	snapshot := []*loader.Snapshot{e.base, e.head}[side]
	if e.hunks == nil || snapshot.Text == nil {
		return out
	}
	lines := strings.Split(string(snapshot.Text(file)), "\n")
	for _, h := range e.hunks(file) {
		from, n := h.Base, h.BaseLines
		if side == 1 {
			from, n = h.Head, h.HeadLines
		}
		for i := from; i < from+n && i <= len(lines); i++ {
			m := imageLine.FindStringSubmatch(lines[max(i-1, 0)])
			if m == nil {
				continue
			}
			version, known := upgrade.ParseVersion(m[2])
			if p := upgrade.ByImage(m[1]); p != nil && known {
				out[p] = upgrade.Installed{Project: p, Text: m[2], Version: version, At: loader.Position{File: file, Line: i}}
			}
		}
	}
	return out
}
