package gate

import (
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// journal collects the problems of a build that the gate finds.
type journal struct{ approved *Approved }

// problem adds a problem at a position.
func (j *journal) problem(at loader.Position, c deploy.Complaint) {
	j.approved.Problems = append(j.approved.Problems, c.Problem(at))
}

// problems adds the problems of a file.
func (j *journal) problems(list []loader.Problem, file string) {
	for _, p := range list {
		p.Position.File = file
		j.approved.Problems = append(j.approved.Problems, p)
	}
}

// drop omits an entry and records why.
func (j *journal) drop(f *Folder, v *loader.Value, c deploy.Complaint) {
	j.problem(deploy.PositionOf(f.File, v), c)
	j.gap(f, v)
}

// gap records that the objects of an entry are unknown.
func (j *journal) gap(f *Folder, v *loader.Value) {
	j.approved.Gaps = append(j.approved.Gaps, loader.Gap{Name: deploy.Reference(v.Text), Position: deploy.PositionOf(f.File, v)})
}

// refuse records that the build is refused.
func (j *journal) refuse(file string, v *loader.Value, c deploy.Complaint) {
	j.problem(deploy.PositionOf(file, v), c)
	j.approved.Refused = true
}
