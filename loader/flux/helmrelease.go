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

// Releases replaces the HelmReleases among the objects of an environment by the objects of their
// charts. A HelmRelease that is not known in full stays in the result.
func (h *releases) Releases(v *site, objects []deploy.Object) (out []deploy.Object, got release.Installed) {
	if !slices.ContainsFunc(objects, deploy.Object.IsRelease) {
		return objects, release.Installed{}
	}
	in := inventory{objects: objects}
	for _, d := range objects {
		if !d.IsRelease() {
			out = append(out, d)
			continue
		}
		r, problems := h.release(v, d, &in)
		if r.Lacks {
			got.Problems = append(got.Problems, problems...)
			got.Gaps = append(got.Gaps, r.Gap())
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
		one.Objects = slices.DeleteFunc(one.Objects, func(o deploy.Object) bool { passing, _ := deploy.Hook(o.Root); return passing })
		by := in.deployer(d)
		by.Chart = h.versioned(v, d, &in, r.Dir, one.Covers)
		for i := range one.Objects {
			_, hook := deploy.Hook(one.Objects[i].Root)
			one.Objects[i].Deployer, one.Objects[i].Frozen = deploy.OfChart(by, one.Objects[i]), cmp.Or(d.Frozen, hook)
			one.Objects[i].Listed = slices.Concat(d.Listed, one.Objects[i].Listed)
		}
		out = append(out, one.Objects...)
		got.Problems = append(got.Problems, one.Problems...)
		got.Gaps = append(got.Gaps, one.Gaps...)
		if one.Adapted {
			got.Number++
		}
		// The HelmRelease stays as a placeholder for the objects that are not known.
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
		// If the name is a variable with this default, the reference means this object: no other
		// object in the namespace has that name.
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

// withDefault matches a name that is a variable with a default.
var withDefault = regexp.MustCompile(`^\$\{\w+:?[=-]([^${}]+)\}$`)

// defaultName returns the default of a name that is a variable, or "".
func defaultName(name string) string {
	if m := withDefault.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return ""
}

// deployer returns helm-controller, which acts for the HelmRelease and its own deployer.
func (in *inventory) deployer(d deploy.Object) *loader.Deployer {
	return &loader.Deployer{ID: installer(d), At: d.AsObject().First(), Suspended: d.Root.Get("spec", "suspend").IsTrue(), Parent: d.Deployer}
}

// versioned returns the chart of a HelmRelease if it is one of a Git repository that only another version renews.
func (h *releases) versioned(v *site, d deploy.Object, in *inventory, dir string, files []string) *loader.VersionedChart {
	template := in.template(d)
	if dir == "" || template.Str("reconcileStrategy") == "Revision" {
		return nil
	}
	docs, err := h.store.Documents(v.View, path.Join(dir, "Chart.yaml"))
	if err != nil || len(docs) != 1 {
		return nil
	}
	content := &loader.Value{Shape: loader.List}
	for _, file := range files {
		content.Items = append(content.Items, &loader.Value{Shape: loader.String, Text: file + " " + v.IDs[file]})
	}
	version := docs[0].Get("version")
	if version == nil {
		return nil
	}
	return &loader.VersionedChart{Dir: dir, Version: version.Text, Template: loader.Digest(loader.ID{}, template), Content: loader.Digest(loader.ID{}, content)}
}

// template returns what a HelmRelease, or the HelmChart that it refers to, says of the chart.
func (in *inventory) template(d deploy.Object) *loader.Value {
	ref := d.Root.Get("spec", "chartRef")
	if ref == nil {
		return d.Root.Get("spec", "chart", "spec")
	}
	if source := in.find(tree.FluxSourceGroup, ref.Str("kind"), cmp.Or(ref.Str("namespace"), d.Namespace), ref.Str("name")); source != nil {
		return source.Spec()
	}
	return nil
}

// installer returns the ID of a HelmRelease in its environment.
func installer(d deploy.Object) loader.ID {
	id := d.AsObject().ID
	id.Namespace = cmp.Or(id.Namespace, deploy.DefaultNamespace)
	return id
}

// release reads a HelmRelease (helm-controller api/v2, HelmReleaseSpec). It lacks its chart if
// that is not known.
func (h *releases) release(v *site, d deploy.Object, in *inventory) (*deploy.Release, []loader.Problem) {
	o, spec := d.AsObject(), d.Root.Get("spec")
	installs := loader.ReleaseOf(o)
	r := &deploy.Release{
		Name: installs.Name, Namespace: cmp.Or(installs.Namespace, deploy.DefaultNamespace),
		ID: installer(d), At: o.First(), Crds: spec.Str("install", "crds") != "Skip",
	}
	if !h.chartOf(v, d, in, r) {
		r.Lacks = true
		r.Option("valuesFrom", spec.Get("valuesFrom"))
		h.options(d, r)
		r.Values = chart.Values{Root: spec.Get("values"), Files: d.Files}
		return r, lacking(v, d)
	}
	var problems []loader.Problem
	problems = append(problems, h.chartValues(v, d, r)...)
	problems = append(problems, h.valuesFrom(v, d, in, r)...)
	h.options(d, r)
	if values := spec.Get("values"); values != nil {
		r.Values = r.Values.Over(chart.Values{Root: values, Files: d.Files})
	}
	return r, problems
}

// lacking returns the problem that the chart of a HelmRelease is in the repository of the tree by its source, and is not
// there: helm-controller then leaves the release as it is.
func lacking(v *site, d deploy.Object) []loader.Problem {
	template := d.Root.Get("spec", "chart", "spec")
	ref, name := template.Get("sourceRef"), template.Str("chart")
	own := sourceRef{kind: ref.Str("kind"), namespace: cmp.Or(ref.Str("namespace"), d.Namespace), name: ref.Str("name")}
	if d.Root.Get("spec", "chartRef") != nil || v.sources == nil || !own.matches(v.sources.own) || name == "" || tree.Unresolved(name) {
		return nil
	}
	o := d.AsObject()
	p := deploy.Complain(
		loader.FluxChartMissing, fmt.Sprintf("the chart %s that the HelmRelease %s installs is not in the tree", deploy.Quote(name), deploy.Quote(d.Name)), "correct spec.chart.spec.chart",
	).Problem(o.Position(template.Get("chart")))
	p.Release = d.Name
	return []loader.Problem{p}
}

// options adds what decides about the objects of a release besides its chart and its values.
func (h *releases) options(d deploy.Object, r *deploy.Release) {
	spec := d.Root.Get("spec")
	r.Option("valuesFiles", spec.Get("chart", "spec", "valuesFiles"))
	r.Option(loader.OptionMetadata, spec.Get("commonMetadata"))
	for _, renderer := range spec.List("postRenderers") {
		for _, patch := range renderer.List("kustomize", "patches") {
			name := loader.OptionPatches
			if loader.PatchesTraffic(patch) {
				name = "postRenderers"
			}
			r.Option(name, patch)
		}
	}
}

// hedge records that a release is not known in full, and why.
func hedge(r *deploy.Release, at loader.Position, why string) loader.Problem {
	r.Unknown = append(r.Unknown, why)
	p := deploy.Complain("helm-values", why, "").Problem(at)
	p.Severity = loader.Note
	return p
}

// chartOf sets the chart of a HelmRelease if it is known.
func (h *releases) chartOf(v *site, d deploy.Object, in *inventory, r *deploy.Release) bool {
	spec := d.Root.Get("spec")
	template, ns, holder := spec.Get("chart", "spec"), d.Namespace, d.AsObject()
	if ref := spec.Get("chartRef"); ref != nil {
		source := in.find(tree.FluxSourceGroup, ref.Str("kind"), cmp.Or(ref.Str("namespace"), ns), ref.Str("name"))
		if source == nil {
			return false
		}
		r.Inputs = append(r.Inputs, source.First())
		if ref.Str("kind") != "HelmChart" {
			url := source.Root.Str("spec", "url")
			tag := source.Root.Get("spec", "ref")
			r.Remote.RemoteChart = loader.RemoteChart{Repository: url, Name: path.Base(strings.TrimSuffix(url, "/")), Version: cmp.Or(tag.Str("semver"), tag.Str("tag"))}
			// source-controller internal/controller, getArtifactRef: the digest counts first, then semver, then tag.
			if v := cmp.Or(tag.Get("semver"), tag.Get("tag")); v != nil {
				r.Remote.At = source.Position(v)
			}
			r.Option("ref", tag)
			return url != "" && !tree.Unresolved(url)
		}
		template, ns, holder = source.Root.Get("spec"), source.ID.Namespace, source
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
	if v := template.Get("version"); v != nil {
		r.Remote.At = holder.Position(v)
	}
	return true
}

// chartValues reads spec.chart.spec.valuesFiles. Together, these files replace the values of the
// chart (source-controller internal/helm/chart, mergeFileValues). Without one of them it makes no chart, and the release stays as it is.
func (h *releases) chartValues(v *site, d deploy.Object, r *deploy.Release) []loader.Problem {
	spec := d.Root.Get("spec", "chart", "spec")
	files := spec.List("valuesFiles")
	// Of a chart in a repository of charts, values.yaml is its own. In a Git repository, it is the one at the root.
	own := spec.Str("sourceRef", "kind") == "HelmRepository"
	if len(files) == 0 || own && len(files) == 1 && path.Clean(files[0].Text) == "values.yaml" {
		return nil
	}
	o := d.AsObject()
	if r.Dir == "" {
		return []loader.Problem{hedge(r, o.Position(files[0]), "the valuesFiles of the HelmRelease "+deploy.Quote(d.Name)+" are in a chart that is not in the tree")}
	}
	var problems []loader.Problem
	r.Bare = true
	for _, item := range files {
		name := path.Clean(strings.TrimPrefix(item.Text, "/"))
		if !h.charts.ValuesFile(v.View, path.Join(v.artefact, name), r) && !spec.Get("ignoreMissingValuesFiles").IsTrue() {
			p := hedge(r, o.Position(item), "the values file "+deploy.Quote(name)+" of the HelmRelease "+deploy.Quote(d.Name)+" is not in the tree or cannot be read")
			if v.IDs[path.Join(v.artefact, name)] == "" && !item.Opaque && !tree.Unresolved(name) {
				p.Code, p.Release = loader.HelmValuesMissing, d.Name
			}
			problems = append(problems, p)
		}
	}
	return problems
}

// valuesFrom reads the values in ConfigMaps; those in Secrets are unknown (fluxcd/pkg
// chartutil/values.go, ChartValuesFromReferences). What was read is compared by its values, the other references as they are
// written: the name of a ConfigMap that a generator makes is another one after each edit.
func (h *releases) valuesFrom(v *site, d deploy.Object, in *inventory, r *deploy.Release) []loader.Problem {
	var problems []loader.Problem
	var unread []*loader.Value
	o := d.AsObject()
	for _, from := range d.Root.List("spec", "valuesFrom") {
		kind, name := from.Str("kind"), from.Str("name")
		unknown := func(why string) *loader.Problem {
			unread = append(unread, from)
			if from.Get("optional").IsTrue() {
				why += " (it is optional)"
			}
			problems = append(problems, hedge(r, o.Position(from), "values of the HelmRelease "+deploy.Quote(d.Name)+" come from "+deploy.Quote(kind+"/"+name)+", "+why))
			return &problems[len(problems)-1]
		}
		// lost is unknown for what helm-controller cannot read either: it leaves the release as it is.
		lost := func(why string) {
			if p := unknown(why); !from.Get("optional").IsTrue() {
				p.Code, p.Release = loader.HelmValuesMissing, d.Name
			}
		}
		if kind != "ConfigMap" {
			// With targetPath, a Secret sets one value and the others stay known.
			if target := from.Str("targetPath"); target == "" || !loader.IsOnlyCredential(target) {
				unknown("which is not read")
			} else {
				unread = append(unread, from)
			}
			continue
		}
		source := in.configMap(d.Namespace, name)
		if source == nil {
			if p := unknown("which is not in the tree"); !from.Get("optional").IsTrue() && !tree.Unresolved(name) {
				p.Code, p.Release = loader.HelmValuesAbsent, d.Name
			}
			continue
		}
		key := cmp.Or(from.Str("valuesKey"), "values.yaml")
		value := source.Root.Get("data", key)
		if value == nil || value.Shape != loader.String || value.Opaque && !tree.Unresolved(value.Text) {
			lost("which has no readable text under the key " + deploy.Quote(key))
			continue
		}
		r.Inputs = append(r.Inputs, source.Position(value))
		if target := from.Str("targetPath"); target != "" {
			scalar := *value
			scalar.Mark = loader.Mark{Line: uint32(source.Position(value).Line), Column: uint32(source.Position(value).Column)}
			keys, plain := chart.KeysOf(target)
			if !plain {
				unknown("with a targetPath that has lists or escapes, which gwplan does not support")
				continue
			}
			typed, whole := valueAt(&scalar, from)
			if !whole {
				unknown("with a text for targetPath that Helm's --set reads as more than one value")
				continue
			}
			r.Values = r.Values.Set(keys, typed, source.Position(value).File)
			continue
		}
		values, valid := h.textValues(v, source, value)
		if !valid {
			lost("whose text under the key " + deploy.Quote(key) + " cannot be read")
			continue
		}
		r.Values = r.Values.Over(values)
	}
	if len(unread) > 0 {
		r.Option("valuesFrom", &loader.Value{Shape: loader.List, Items: unread})
	}
	return problems
}

// valueAt returns the value that a text has at a targetPath: literally, in quotes, or as Helm's --set reads it
// (fluxcd/pkg chartutil/values.go, ReplacePathValue).
func valueAt(v, from *loader.Value) (*loader.Value, bool) {
	if from.Get("literal").IsTrue() {
		return v, true
	}
	for _, quote := range []string{"'", `"`} {
		if strings.HasPrefix(v.Text, quote) && strings.HasSuffix(v.Text, quote) {
			out := *v
			out.Text = strings.Trim(v.Text, `'"`)
			return &out, !strings.ContainsAny(out.Text, `,\`)
		}
	}
	return chart.Typed(v)
}

// configMap finds a ConfigMap with values. kustomize may have added a hash to its name, with or
// without a corrected reference.
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

// textValues reads values that are text in a ConfigMap. If a file of the tree has the same text,
// kustomize generated the ConfigMap from it, so the values get their positions in that file.
// Otherwise, they get the positions of the lines in the text.
func (h *releases) textValues(v *site, source *loader.Object, value *loader.Value) (values chart.Values, valid bool) {
	docs, problems := manifest.Parse([]byte(value.Text), h.store.Opts.Manifest.Limits)
	if len(docs) == 0 {
		return chart.Values{}, len(problems) == 0
	}
	at := source.Position(value)
	dir := path.Dir(at.File)
	for _, file := range v.AllBelow(dir) {
		if tree.IsManifestFile(file) && string(h.store.Raw[v.IDs[file]]) == value.Text {
			return chart.Values{Root: docs[0], Files: []string{file}}, true
		}
	}
	return chart.Values{Root: h.charts.InText(docs[0], v.IDs[at.File], value, at), Files: []string{at.File}}, true
}

// ReleaseNote states how many releases are known only by their values.
func ReleaseNote(n int) []loader.Assumption {
	out := loader.Assumption{About: "releases of app-template"}
	switch n {
	case 0:
		return nil
	case 1:
		out.Text = "1 release of app-template is read from its values: its chart is not in the tree"
	default:
		out.Text = fmt.Sprintf("%d releases of app-template are read from their values: their chart is not in the tree", n)
	}
	return []loader.Assumption{out}
}
