package kustomize

import (
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// journal notes what a walk finds wrong with a plan.
type journal struct{ approved *Approved }

// problem adds what is wrong at a place.
func (j *journal) problem(at loader.Position, c deploy.Complaint) {
	j.approved.problems = append(j.approved.problems, c.Problem(at))
}

// problems adds those of a file.
func (j *journal) problems(list []loader.Problem, file string) {
	for _, p := range list {
		p.Position.File = file
		j.approved.problems = append(j.approved.problems, p)
	}
}

// drop leaves an entry out.
func (j *journal) drop(f *folder, v *loader.Value, c deploy.Complaint) {
	j.problem(deploy.PositionOf(f.File, v), c)
	j.gap(f, v)
}

// gap notes that an entry would have given objects.
func (j *journal) gap(f *folder, v *loader.Value) {
	j.approved.Gaps = append(j.approved.Gaps, loader.Gap{Name: deploy.Reference(v.Text), Position: deploy.PositionOf(f.File, v)})
}

// refuse gives up on the build.
func (j *journal) refuse(file string, v *loader.Value, c deploy.Complaint) {
	j.problem(deploy.PositionOf(file, v), c)
	j.approved.Refused = true
}
