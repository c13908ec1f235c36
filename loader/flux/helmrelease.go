package flux

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/kustomize"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/release"
	"github.com/gwplan/gwplan/loader/tree"
)

// releases reads HelmReleases and installs their charts.
type releases struct {
	store  *tree.Store
	builds *kustomize.Builder
	charts *release.Charts
}

// Releases installs the HelmReleases among the objects of an environment. Those
// that are known in full have done their work and are left out.
func (h *releases) Releases(v *site, objects []deploy.Object) (out []deploy.Object, got release.Installed) {
	in := inventory{objects: objects}
	for _, d := range objects {
		if !d.IsRelease() {
			out = append(out, d)
			continue
		}
		r, problems := h.release(v, d, &in)
		if r == nil {
			out = append(out, d)
			continue
		}
		one := h.charts.Install(v.View, r)
		if objects, ok := h.postRendered(v, d, r, one.Objects); ok {
			one.Objects = objects
		} else {
			one.Whole = false
			problems = append(problems, hedge(r, d.AsObject().Position(d.Root.Get("spec", "postRenderers")), "postRenderers of the HelmRelease "+deploy.Quote(d.Name)+" cannot be applied to what its chart renders"))
		}
		if one.Known {
			got.Problems = append(got.Problems, problems...)
		}
		for i := range one.Objects {
			one.Objects[i].Deployer, one.Objects[i].Frozen = in.deployer(d), d.Frozen
			one.Objects[i].Listed = slices.Concat(d.Listed, one.Objects[i].Listed)
		}
		out = append(out, one.Objects...)
		got.Problems = append(got.Problems, one.Problems...)
		got.Gaps = append(got.Gaps, one.Gaps...)
		if one.Adapted {
			got.Number++
		}
		// The object itself stands for what it would still render.
		if !one.Whole {
			out = append(out, d)
		} else {
			got.Releases = append(got.Releases, loader.Release{By: r.ID, Namespace: r.Namespace, Name: r.Name})
		}
	}
	return out, got
}

// inventory finds the objects that a HelmRelease refers to.
type inventory struct{ objects []deploy.Object }

func (in *inventory) find(group, kind, namespace, name string) *loader.Object {
	var near *deploy.Object
	for i := range in.objects {
		d := &in.objects[i]
		if d.Group != group || d.Kind != kind || d.Name != name && defaultName(d.Name) != name {
			continue
		}
		if d.Namespace == namespace && d.Name == name {
			return d.AsObject()
		}
		// One whose name is a variable with this default is what the reference means: nobody
		// else in the namespace would be.
		if d.Namespace == namespace {
			near = d
		}
		if near == nil && (d.Namespace == "" || namespace == "") {
			near = d
		}
	}
	if near == nil {
		return nil
	}
	return near.AsObject()
}

// withDefault is a name that is a variable with a default.
var withDefault = regexp.MustCompile(`^\$\{\w+:?[=-]([^${}]+)\}$`)

// defaultName is the default of a name that is a variable, or "".
func defaultName(name string) string {
	if m := withDefault.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return ""
}

// deployer is helm-controller, acting for the HelmRelease and what applies that.
func (in *inventory) deployer(d deploy.Object) *loader.Deployer {
	by := &loader.Deployer{ID: installer(d), At: d.AsObject().First(), Suspended: d.Root.Get("spec", "suspend").IsTrue()}
	by.Parent = d.Deployer
	if d.Deployer != nil {
		by.Suspended = by.Suspended || d.Deployer.Suspended
	}
	return by
}

// installer is a HelmRelease as it is known in its environment.
func installer(d deploy.Object) loader.ID {
	id := d.AsObject().ID
	id.Namespace = cmp.Or(id.Namespace, deploy.DefaultNamespace)
	return id
}

// release reads a HelmRelease (helm-controller api/v2, HelmReleaseSpec); nil
// means that its chart is not known.
func (h *releases) release(v *site, d deploy.Object, in *inventory) (*deploy.Release, []loader.Problem) {
	o, spec := d.AsObject(), d.Root.Get("spec")
	installs := loader.ReleaseOf(o)
	r := &deploy.Release{
		Name: installs.Name, Namespace: cmp.Or(installs.Namespace, deploy.DefaultNamespace),
		ID: installer(d), At: o.First(), Crds: spec.Str("install", "crds") != "Skip",
	}
	if !h.chartOf(v, d, in, r) {
		return nil, nil
	}
	var problems []loader.Problem
	problems = append(problems, h.chartValues(v, d, r)...)
	problems = append(problems, h.valuesFrom(v, d, in, r)...)
	if values := spec.Get("values"); values != nil {
		r.Values = r.Values.Over(chart.Values{Root: values, Files: d.Files})
	}
	return r, problems
}

// hedge notes that a release is not known in full, and why.
func hedge(r *deploy.Release, at loader.Position, why string) loader.Problem {
	r.Unknown = append(r.Unknown, why)
	p := deploy.Complain("helm-values", why, "").Problem(at)
	p.Severity = loader.Note
	return p
}

// chartOf finds the chart of a HelmRelease.
func (h *releases) chartOf(v *site, d deploy.Object, in *inventory, r *deploy.Release) bool {
	spec := d.Root.Get("spec")
	template, ns := spec.Get("chart", "spec"), d.Namespace
	if ref := spec.Get("chartRef"); ref != nil {
		source := in.find(tree.FluxSourceGroup, ref.Str("kind"), cmp.Or(ref.Str("namespace"), ns), ref.Str("name"))
		if source == nil {
			return false
		}
		r.Inputs = append(r.Inputs, source.First())
		if ref.Str("kind") != "HelmChart" {
			url := source.Root.Str("spec", "url")
			tag := source.Root.Get("spec", "ref")
			r.Remote = deploy.RemoteChart{Repository: url, Name: path.Base(strings.TrimSuffix(url, "/")), Version: cmp.Or(tag.Str("tag"), tag.Str("semver"))}
			return url != "" && !tree.Unresolved(url)
		}
		template, ns = source.Root.Get("spec"), source.ID.Namespace
	}
	name := template.Str("chart")
	if name == "" || tree.Unresolved(name) {
		return false
	}
	ref := template.Get("sourceRef")
	kind := ref.Str("kind")
	sourceNS := cmp.Or(ref.Str("namespace"), ns)
	if kind == "GitRepository" || kind == "Bucket" {
		own := sourceRef{kind: kind, namespace: sourceNS, name: ref.Str("name")}
		if v.sources != nil && !own.matches(v.sources.own) {
			if url, declared := v.sources.url(own); declared {
				if mine, _ := v.sources.url(v.sources.own); mine != url {
					return false
				}
			}
		}
		dir, ok := v.applied(path.Clean(strings.TrimPrefix(name, "/")))
		if !ok || v.IDs[path.Join(dir, "Chart.yaml")] == "" {
			return false
		}
		r.Dir = dir
		return true
	}
	if source := in.find(tree.FluxSourceGroup, "HelmRepository", sourceNS, ref.Str("name")); source != nil {
		r.Remote.Repository = source.Root.Str("spec", "url")
	}
	r.Remote.Name, r.Remote.Version = path.Base(name), template.Str("version")
	return true
}

// chartValues reads spec.chart.spec.valuesFiles: together they replace the values
// of the chart (source-controller internal/helm/chart, mergeFileValues).
func (h *releases) chartValues(v *site, d deploy.Object, r *deploy.Release) []loader.Problem {
	spec := d.Root.Get("spec", "chart", "spec")
	files := spec.List("valuesFiles")
	if len(files) == 0 || len(files) == 1 && path.Clean(files[0].Text) == "values.yaml" {
		return nil
	}
	o := d.AsObject()
	if r.Dir == "" {
		return []loader.Problem{hedge(r, o.Position(files[0]), "valuesFiles of the HelmRelease "+deploy.Quote(d.Name)+" lie in a chart that is not in the tree")}
	}
	var problems []loader.Problem
	r.Bare = true
	for _, item := range files {
		name := path.Clean(strings.TrimPrefix(item.Text, "/"))
		if !h.charts.ValuesFile(v.View, name, r) && !spec.Get("ignoreMissingValuesFiles").IsTrue() {
			problems = append(problems, hedge(r, o.Position(item), "the values file "+deploy.Quote(name)+" is not in the tree or cannot be read"))
		}
	}
	return problems
}

// valuesFrom reads the values that ConfigMaps hold; those of Secrets are unknown
// (fluxcd/pkg chartutil/values.go, ChartValuesFromReferences).
func (h *releases) valuesFrom(v *site, d deploy.Object, in *inventory, r *deploy.Release) []loader.Problem {
	var problems []loader.Problem
	o := d.AsObject()
	for _, from := range d.Root.List("spec", "valuesFrom") {
		kind, name := from.Str("kind"), from.Str("name")
		unknown := func(why string) {
			if from.Get("optional").IsTrue() {
				why += " (it is optional)"
			}
			problems = append(problems, hedge(r, o.Position(from), "values of the HelmRelease "+deploy.Quote(d.Name)+" come from "+deploy.Quote(kind+"/"+name)+", "+why))
		}
		if kind != "ConfigMap" {
			// A Secret that sets one value leaves the others known.
			if from.Str("targetPath") == "" || touchesRoutes(from.Str("targetPath")) {
				unknown("which is not read")
			}
			continue
		}
		source := in.configMap(d.Namespace, name)
		if source == nil {
			unknown("which is not in the tree")
			continue
		}
		value := source.Root.Get("data", cmp.Or(from.Str("valuesKey"), "values.yaml"))
		if value == nil || value.Shape != loader.String || value.Opaque && !tree.Unresolved(value.Text) {
			unknown("which does not say")
			continue
		}
		r.Inputs = append(r.Inputs, source.Position(value))
		if target := from.Str("targetPath"); target != "" {
			scalar := *value
			scalar.Mark = loader.Mark{Line: uint32(source.Position(value).Line), Column: uint32(source.Position(value).Column)}
			keys, plain := KeysOf(target)
			if !plain {
				unknown("whose targetPath is no plain path of keys")
				continue
			}
			r.Values = r.Values.Set(keys, Typed(&scalar, from), source.Position(value).File)
			continue
		}
		r.Values = r.Values.Over(h.textValues(v, source, value))
	}
	return problems
}

// maxKeys bounds how deep one path of keys leads.
const maxKeys = 100

// KeysOf takes a path of Helm's --set apart. One with lists or escapes is not
// read.
func KeysOf(name string) ([]string, bool) {
	if strings.ContainsAny(name, `[]{}\,=`) || strings.Count(name, ".") >= maxKeys {
		return nil, false
	}
	return strings.Split(name, "."), true
}

// touchesRoutes says whether a value may have a say in routes. Passwords and the
// like do not.
func touchesRoutes(target string) bool {
	target = strings.ToLower(target)
	return slices.ContainsFunc([]string{"route", "host", "domain", "gateway", "parentref", "ingress", "url", "service"}, func(word string) bool { return strings.Contains(target, word) })
}

// Typed reads a value for one path as helm's --set would, unless it is literal.
func Typed(v, from *loader.Value) *loader.Value {
	if from.Get("literal").IsTrue() {
		return v
	}
	docs, problems := manifest.Parse([]byte(v.Text), manifest.Limits{})
	if len(problems) > 0 || len(docs) != 1 || tree.Nested(docs[0]) {
		return v
	}
	out := *docs[0]
	out.Mark = v.Mark
	return &out
}

// configMap finds one that values come from; kustomize may have added a hash to
// its name and corrected the reference or not.
func (in *inventory) configMap(namespace, name string) *loader.Object {
	if o := in.find("", "ConfigMap", namespace, name); o != nil {
		return o
	}
	for i := range in.objects {
		d := &in.objects[i]
		base := strings.LastIndexByte(d.Name, '-')
		if tree.IsConfigMap(d.Group, d.Kind) && (d.Namespace == namespace || d.Namespace == "" || namespace == "") &&
			base > 0 && d.Name[:base] == name && tree.Hashed.MatchString(d.Name[base+1:]) {
			return d.AsObject()
		}
	}
	return nil
}

// textValues reads values that stand as text in a ConfigMap. Where a file of the tree
// has the same text, since kustomize made the ConfigMap of it, they have its
// places; else those of the text's lines.
func (h *releases) textValues(v *site, source *loader.Object, value *loader.Value) chart.Values {
	docs, _ := manifest.Parse([]byte(value.Text), h.store.Opts.Manifest.Limits)
	if len(docs) == 0 {
		return chart.Values{}
	}
	at := source.Position(value)
	dir := path.Dir(at.File)
	for _, file := range v.AllBelow(dir) {
		if tree.IsManifestFile(file) && string(h.store.Raw[v.IDs[file]]) == value.Text {
			return chart.Values{Root: docs[0], Files: []string{file}}
		}
	}
	return chart.Values{Root: h.charts.InText(docs[0], v.IDs[at.File], value, at), Files: []string{at.File}}
}

// ReleaseNote says how many releases are known only by their values.
func ReleaseNote(n int) []string {
	switch n {
	case 0:
		return nil
	case 1:
		return []string{"1 release of app-template is read from its values: its chart is not in the tree"}
	}
	return []string{fmt.Sprintf("%d releases of app-template are read from their values: their chart is not in the tree", n)}
}
