package render

import (
	"errors"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/variable"
)

// delivery is what a deployer does with objects once they are built.
type delivery struct {
	by *loader.Deployer
	// way is where the deployer says what it applies.
	way loader.Position
	// metadata is set on every object: labels and annotations.
	metadata []placed
	// variables are filled in; nil leaves texts as they are.
	variables *variable.Set
	// namespace is for objects that name none; "" is none.
	namespace string
}

// deliver gives the objects as they reach the cluster.
func (s *applier) deliver(got outcome, d *delivery) outcome {
	if d == nil {
		return got
	}
	out := got
	out.objects = make([]declared, 0, len(got.objects))
	out.problems = slices.Clone(got.problems)
	for _, object := range got.objects {
		filled, problems, ok := s.fill(object, d)
		out.problems = append(out.problems, problems...)
		if !ok {
			out.gaps = append(slices.Clone(out.gaps), loader.Gap{Name: clip(object.object().ID.String()), Namespace: object.namespace, Position: object.object().First()})
		}
		out.objects = append(out.objects, d.dress(filled))
	}
	return out
}

// fill puts variables in. Where Flux would refuse an object, it is kept as it is
// written and a problem says so.
func (s *applier) fill(o declared, d *delivery) (declared, []loader.Problem, bool) {
	if d.variables == nil {
		return o, nil, true
	}
	at := o.object()
	got, err := d.variables.Fill(o.root, o.files, s.store.opts.Manifest.Limits)
	if err != nil {
		c := complain("flux-variables", "Flux cannot fill in the variables: "+err.Error(), "correct the expression; Flux applies nothing of this Kustomization until then")
		where := at.First()
		if refused := (*variable.Error)(nil); errors.As(err, &refused) {
			where = at.Position(&loader.Value{Mark: refused.Mark})
		}
		return o, []loader.Problem{c.problem(where)}, false
	}
	var problems []loader.Problem
	for _, m := range got.Missing {
		p := complain(
			"flux-variable-unset", "nothing that the Flux Kustomization names sets the variable "+quote(m.Name)+": it is kept as it is written",
			"set it under postBuild, or give it a default; Flux refuses it since kustomize-controller 1.9, and put nothing in its place before",
		).problem(at.Position(&loader.Value{Mark: m.Mark}))
		p.Severity = loader.Note
		problems = append(problems, p)
	}
	if got.Root == o.root {
		return o, problems, true
	}
	o.root, o.files = got.Root, got.Files
	o.inputs = slices.Concat(o.inputs, got.Inputs)
	o.identify()
	return o, problems, true
}

// identify reads what names an object from its root.
func (d *declared) identify() {
	d.group, d.version = splitVersion(d.root.Str("apiVersion"))
	d.kind = d.root.Str("kind")
	d.namespace, d.name = d.root.Str("metadata", "namespace"), d.root.Str("metadata", "name")
}

// dress adds what a deployer sets on each object, and who it is.
func (d *delivery) dress(o declared) declared {
	for _, m := range d.metadata {
		o = o.withMetadata(m)
	}
	if o.namespace == "" && d.namespace != "" {
		o.namespace = d.namespace
	}
	if d.by != nil {
		o.deployer, o.frozen = d.by, d.freezes(o.root)
		if keeps(o) && !d.by.Keeps {
			kept := *d.by
			kept.Keeps = true
			o.deployer = &kept
		}
	}
	if d.way.File != "" {
		o.listed = slices.Concat([]loader.Position{d.way}, o.listed)
	}
	return o
}

// freezes is the word by which Flux leaves an object as it is in the cluster: a label or
// annotation, its value in any case (kustomize-controller
// internal/controller/kustomization_controller.go, apply). "" is none.
func (d *delivery) freezes(root *loader.Value) string {
	if d.by.ID.Group != fluxGroup {
		return ""
	}
	for _, word := range [][2]string{{fluxGroup + "/reconcile", "disabled"}, {fluxGroup + "/ssa", "Ignore"}} {
		for _, field := range []string{"labels", "annotations"} {
			if strings.EqualFold(root.Str("metadata", field, word[0]), word[1]) {
				return word[0] + ": " + word[1]
			}
		}
	}
	return ""
}

// keeps says that an object asks not to be removed (kustomize-controller, prune, which
// also passes over what is frozen; Argo CD, sync-options).
func keeps(o declared) bool {
	meta := func(field, key string) string { return o.root.Str("metadata", field, key) }
	const prune = fluxGroup + "/prune"
	return o.frozen != "" || meta("annotations", prune) == "disabled" || meta("labels", prune) == "disabled" ||
		strings.Contains(meta("annotations", "argocd.argoproj.io/sync-options"), "Prune=false")
}

// withMetadata sets labels or annotations over what is there
// (fluxcd/pkg ssa/normalize, SetCommonMetadata).
func (d declared) withMetadata(p placed) declared {
	meta := d.root.Get("metadata")
	if meta == nil || meta.Shape != loader.Map {
		return d
	}
	file := uint32(len(d.files))
	d.files = append(slices.Clone(d.files), p.at.File)
	list := meta.Get(p.key)
	if list == nil || list.Shape != loader.Map {
		list = &loader.Value{Shape: loader.Map, Mark: loader.Mark{File: file, Line: uint32(p.at.Line), Column: uint32(p.at.Column)}}
	}
	for _, f := range p.value.FieldList() {
		by := *f.Value
		by.Mark.File = file
		list = setKey(list, f.Key, &by)
	}
	d.root = replaceKey(d.root, "metadata", loader.Field{Key: "metadata", Value: setKey(meta, p.key, list)})
	return d
}
