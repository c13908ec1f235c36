package apply

import (
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
	for _, object := range got.Objects {
		filled, problems, ok := s.fill(object, d)
		out.Problems = append(out.Problems, problems...)
		if !ok {
			out.Gaps = append(slices.Clone(out.Gaps), loader.Gap{Name: deploy.Clip(object.AsObject().ID.String()), Namespace: object.Namespace, Position: object.AsObject().First()})
		}
		out.Objects = append(out.Objects, d.Dress(filled))
	}
	return out
}

// fill substitutes variables. If Flux would refuse an object, it keeps the object unchanged and
// returns a problem and false.
func (s *Applier) fill(o deploy.Object, d *deploy.Delivery) (deploy.Object, []loader.Problem, bool) {
	if d.Variables == nil {
		return o, nil, true
	}
	at := o.AsObject()
	done, why := s.store.Opts.Account.Begin(fmt.Sprintf("variables (%s)", at.First()))
	if why != "" {
		return o, []loader.Problem{deploy.Overdrawn("variables are not filled in", why).Problem(at.First())}, false
	}
	defer done()
	got, err := d.Variables.Fill(o.Root, o.Files, s.store.Opts.Manifest.Limits)
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
