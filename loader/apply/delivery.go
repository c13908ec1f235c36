package apply

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
	"github.com/gwplan/gwplan/loader/variable"
)

// delivered returns the objects of a unit as they reach the cluster. What fills in variables, and what has copies of files
// that another deployer applies, too, is a part of the account: both can be many times as large as the input.
func (s *Applier) delivered(v *tree.View, u deploy.Unit) deploy.Outcome {
	done, why := func() {}, ""
	at := applied{v, u.Place()}
	if u.Delivery.Variables != nil || s.applied[at] {
		done, why = s.store.Opts.Account.BeginBuild(partOf(u))
	}
	s.applied[at] = true
	if why != "" {
		return deploy.Outcome{
			Problems: []loader.Problem{deploy.Overdrawn("what it applies of "+deploy.Quote(u.Place())+" is left out", why).Problem(u.Delivery.Way)},
			Gaps:     []loader.Gap{gapOf(u)}, Covers: u.Files,
		}
	}
	defer done()
	got := s.render(v, u)
	d := u.Delivery
	out := got
	out.Objects = make([]deploy.Object, 0, len(got.Objects))
	out.Problems, out.Gaps = slices.Clone(got.Problems), slices.Clip(got.Gaps)
	variables := textOf(d.Variables)
	for _, object := range got.Objects {
		if d.Skips(d.Marked(object)) {
			continue
		}
		filled, problems, ok := s.fill(object, u, variables)
		out.Problems = append(out.Problems, problems...)
		if !ok {
			out.Gaps = append(out.Gaps, loader.Gap{Name: deploy.Clip(object.AsObject().ID.String()), Namespace: object.Namespace, Position: object.AsObject().First()})
		}
		out.Objects = append(out.Objects, d.Dress(filled))
	}
	return out
}

// applied is a place of a view of which some deployer has the objects.
type applied struct {
	view  *tree.View
	place string
}

// partOf names what a unit delivers as a part of the account.
func partOf(u deploy.Unit) string {
	return fmt.Sprintf("what %s applies of %s (%s)", deployer(u), deploy.Quote(u.Place()), u.Delivery.Way)
}

func deployer(u deploy.Unit) string {
	if by := u.Delivery.By; by != nil {
		return by.ID.Kind + " " + deploy.Clip(by.ID.Name)
	}
	return "a deployer"
}

// gapOf returns the gap of a unit of which nothing is delivered.
func gapOf(u deploy.Unit) loader.Gap {
	gap := loader.Gap{Kind: "deployer", Name: deploy.Clip(u.Place()), Namespace: u.Delivery.Namespace, Position: u.Delivery.Way, Roots: []string{u.Dir}}
	if by := u.Delivery.By; by != nil {
		gap.Kind, gap.Name, gap.By = by.ID.Kind, deploy.Clip(by.ID.Name), by.ID
	}
	return gap
}

// fill substitutes the variables of a delivery in an object; variables identifies them (textOf). If Flux would refuse an
// object, it keeps the object unchanged and returns a problem and false.
func (s *Applier) fill(o deploy.Object, u deploy.Unit, variables string) (deploy.Object, []loader.Problem, bool) {
	d := u.Delivery
	if d.Variables == nil {
		return o, nil, true
	}
	at := o.AsObject()
	done, why := s.store.Opts.Account.BeginBuild(partOf(u))
	if why != "" {
		return o, []loader.Problem{deploy.Overdrawn("variables are not filled in", why).Problem(at.First())}, false
	}
	defer done()
	got, err := s.filled(o, d.Variables, variables)
	if err != nil {
		c := deploy.Complain(loader.FluxVariables, "Flux cannot fill in the variables: "+err.Error(), "correct the expression; Flux applies nothing of this Kustomization until then")
		if loader.IsLimit(err) {
			c = deploy.Beyond("variables are not filled in", err.Error(), "make the text or the values shorter")
		}
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
