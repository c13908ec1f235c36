package apply

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/variable"
)

// deliver returns the objects as they reach the cluster.
func (s *Applier) deliver(got deploy.Outcome, d *deploy.Delivery) deploy.Outcome {
	if d == nil {
		return got
	}
	out := got
	out.Objects = make([]deploy.Object, 0, len(got.Objects))
	out.Problems = slices.Clone(got.Problems)
	variables := textOf(d.Variables)
	for _, object := range got.Objects {
		if d.Skips(d.Marked(object)) {
			continue
		}
		filled, problems, ok := s.fill(object, d, variables)
		out.Problems = append(out.Problems, problems...)
		if !ok {
			out.Gaps = append(slices.Clone(out.Gaps), loader.Gap{Name: deploy.Clip(object.AsObject().ID.String()), Namespace: object.Namespace, Position: object.AsObject().First()})
		}
		out.Objects = append(out.Objects, d.Dress(filled))
	}
	return out
}

// fill substitutes the variables of a delivery in an object; variables identifies them (textOf). If Flux would refuse an
// object, it keeps the object unchanged and returns a problem and false.
func (s *Applier) fill(o deploy.Object, d *deploy.Delivery, variables string) (deploy.Object, []loader.Problem, bool) {
	if d.Variables == nil {
		return o, nil, true
	}
	at := o.AsObject()
	done, why := s.store.Opts.Account.Begin(fmt.Sprintf("variables (%s)", at.First()))
	if why != "" {
		return o, []loader.Problem{deploy.Overdrawn("variables are not filled in", why).Problem(at.First())}, false
	}
	defer done()
	got, err := s.filled(o, d.Variables, variables)
	if err != nil {
		c := deploy.Complain("flux-variables", "Flux cannot fill in the variables: "+err.Error(), "correct the expression; Flux applies nothing of this Kustomization until then")
		where := at.First()
		if refused := (*variable.Error)(nil); errors.As(err, &refused) {
			where = at.Position(&loader.Value{Mark: refused.Mark})
		}
		return o, []loader.Problem{c.Problem(where)}, false
	}
	var problems []loader.Problem
	for _, m := range got.Missing {
		p := deploy.Complain(
			"flux-variable-unset", "postBuild of the Flux Kustomization does not set the variable "+deploy.Quote(m.Name)+", so its text stays unchanged",
			"set it under postBuild, or give it a default; kustomize-controller 1.9 and later reject an unset variable, earlier versions replace it with an empty string",
		).Problem(at.Position(&loader.Value{Mark: m.Mark}))
		p.Severity = loader.Note
		problems = append(problems, p)
	}
	if got.Root == o.Root {
		return o, problems, true
	}
	o.Root, o.Files = got.Root, got.Files
	o.Inputs = slices.Concat(o.Inputs, got.Inputs)
	o.Identify()
	return o, problems, true
}

// filling is an object before its variables are filled in, and the variables as a text: those of two revisions
// are often the same.
type filling struct {
	root      *loader.Value
	variables string
}

// substitution is the result for a filling. files are those of the object.
type substitution struct {
	files []string
	got   variable.Result
	err   error
}

// textOf identifies variables by their content, "" if there are none.
func textOf(set *variable.Set) string {
	data, err := json.Marshal(set)
	if set == nil || err != nil {
		return ""
	}
	return string(data)
}

// filled fills variables into an object, once for all revisions.
func (s *Applier) filled(o deploy.Object, set *variable.Set, text string) (variable.Result, error) {
	key := filling{o.Root, text}
	if was, ok := s.substituted[key]; ok && text != "" && slices.Equal(was.files, o.Files) {
		return was.got, was.err
	}
	got, err := set.Fill(o.Root, o.Files, s.store.Opts.Manifest.Limits)
	s.substituted[key] = substitution{o.Files, got, err}
	return got, err
}
