package render

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/manifest"
)

func (d declared) isRelease() bool { return d.group == helmGroup && d.kind == "HelmRelease" }

// releases installs the HelmReleases among the objects of an environment. Those
// that are known in full have done their work and are left out.
func (s *flux) releases(v *site, objects []declared) (out []declared, got installed) {
	in := inventory{objects: objects}
	for _, d := range objects {
		if !d.isRelease() {
			out = append(out, d)
			continue
		}
		r, problems := s.release(v, d, &in)
		if r == nil {
			out = append(out, d)
			continue
		}
		one := s.charts.install(v.view, r)
		if objects, ok := s.postRendered(v, d, r, one.objects); ok {
			one.objects = objects
		} else {
			one.whole = false
			problems = append(problems, hedge(r, d.object().Position(d.root.Get("spec", "postRenderers")), "postRenderers of the HelmRelease "+quote(d.name)+" cannot be applied to what its chart renders"))
		}
		if one.known {
			got.problems = append(got.problems, problems...)
		}
		for i := range one.objects {
			one.objects[i].deployer, one.objects[i].frozen = in.deployer(d), d.frozen
			one.objects[i].listed = slices.Concat(d.listed, one.objects[i].listed)
		}
		out = append(out, one.objects...)
		got.problems = append(got.problems, one.problems...)
		got.gaps = append(got.gaps, one.gaps...)
		if one.adapted {
			got.number++
		}
		// The object itself stands for what it would still render.
		if !one.whole {
			out = append(out, d)
		} else {
			got.releases = append(got.releases, loader.Release{By: r.id, Namespace: r.namespace, Name: r.name})
		}
	}
	return out, got
}

// inventory finds the objects that a HelmRelease refers to.
type inventory struct{ objects []declared }

func (in *inventory) find(group, kind, namespace, name string) *loader.Object {
	var near *declared
	for i := range in.objects {
		d := &in.objects[i]
		if d.group != group || d.kind != kind || d.name != name && defaultName(d.name) != name {
			continue
		}
		if d.namespace == namespace && d.name == name {
			return d.object()
		}
		// One whose name is a variable with this default is what the reference means: nobody
		// else in the namespace would be.
		if d.namespace == namespace {
			near = d
		}
		if near == nil && (d.namespace == "" || namespace == "") {
			near = d
		}
	}
	if near == nil {
		return nil
	}
	return near.object()
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
func (in *inventory) deployer(d declared) *loader.Deployer {
	by := &loader.Deployer{ID: installer(d), At: d.object().First(), Suspended: isTrue(d.root.Get("spec", "suspend"))}
	by.Parent = d.deployer
	if d.deployer != nil {
		by.Suspended = by.Suspended || d.deployer.Suspended
	}
	return by
}

// installer is a HelmRelease as it is known in its environment.
func installer(d declared) loader.ID {
	id := d.object().ID
	id.Namespace = cmp.Or(id.Namespace, defaultNamespace)
	return id
}

// release reads a HelmRelease (helm-controller api/v2, HelmReleaseSpec); nil
// means that its chart is not known.
func (s *flux) release(v *site, d declared, in *inventory) (*release, []loader.Problem) {
	o, spec := d.object(), d.root.Get("spec")
	installs := loader.ReleaseOf(o)
	r := &release{
		name: installs.Name, namespace: cmp.Or(installs.Namespace, defaultNamespace),
		id: installer(d), at: o.First(), crds: spec.Str("install", "crds") != "Skip",
	}
	if !s.chartOf(v, d, in, r) {
		return nil, nil
	}
	var problems []loader.Problem
	problems = append(problems, s.chartValues(v, d, r)...)
	problems = append(problems, s.valuesFrom(v, d, in, r)...)
	if values := spec.Get("values"); values != nil {
		r.values = r.values.Over(chart.Values{Root: values, Files: d.files})
	}
	return r, problems
}

// hedge notes that a release is not known in full, and why.
func hedge(r *release, at loader.Position, why string) loader.Problem {
	r.unknown = append(r.unknown, why)
	p := complain("helm-values", why, "").problem(at)
	p.Severity = loader.Note
	return p
}

// chartOf finds the chart of a HelmRelease.
func (s *flux) chartOf(v *site, d declared, in *inventory, r *release) bool {
	spec := d.root.Get("spec")
	template, ns := spec.Get("chart", "spec"), d.namespace
	if ref := spec.Get("chartRef"); ref != nil {
		source := in.find(fluxSourceGroup, ref.Str("kind"), cmp.Or(ref.Str("namespace"), ns), ref.Str("name"))
		if source == nil {
			return false
		}
		r.inputs = append(r.inputs, source.First())
		if ref.Str("kind") != "HelmChart" {
			url := source.Root.Str("spec", "url")
			tag := source.Root.Get("spec", "ref")
			r.remote = remoteChart{repository: url, name: path.Base(strings.TrimSuffix(url, "/")), version: cmp.Or(tag.Str("tag"), tag.Str("semver"))}
			return url != "" && !unresolved(url)
		}
		template, ns = source.Root.Get("spec"), source.ID.Namespace
	}
	name := template.Str("chart")
	if name == "" || unresolved(name) {
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
		if !ok || v.ids[path.Join(dir, "Chart.yaml")] == "" {
			return false
		}
		r.dir = dir
		return true
	}
	if source := in.find(fluxSourceGroup, "HelmRepository", sourceNS, ref.Str("name")); source != nil {
		r.remote.repository = source.Root.Str("spec", "url")
	}
	r.remote.name, r.remote.version = path.Base(name), template.Str("version")
	return true
}

// chartValues reads spec.chart.spec.valuesFiles: together they replace the values
// of the chart (source-controller internal/helm/chart, mergeFileValues).
func (s *flux) chartValues(v *site, d declared, r *release) []loader.Problem {
	spec := d.root.Get("spec", "chart", "spec")
	files := spec.List("valuesFiles")
	if len(files) == 0 || len(files) == 1 && path.Clean(files[0].Text) == "values.yaml" {
		return nil
	}
	o := d.object()
	if r.dir == "" {
		return []loader.Problem{hedge(r, o.Position(files[0]), "valuesFiles of the HelmRelease "+quote(d.name)+" lie in a chart that is not in the tree")}
	}
	var problems []loader.Problem
	r.bare = true
	for _, item := range files {
		name := path.Clean(strings.TrimPrefix(item.Text, "/"))
		if !s.charts.valuesFile(v.view, name, r) && !isTrue(spec.Get("ignoreMissingValuesFiles")) {
			problems = append(problems, hedge(r, o.Position(item), "the values file "+quote(name)+" is not in the tree or cannot be read"))
		}
	}
	return problems
}

// valuesFile lays a file of the tree over the values so far.
func (s *charts) valuesFile(v *view, name string, r *release) bool {
	if v.ids[name] == "" {
		return false
	}
	docs, err := s.store.documents(v, name)
	if err != nil {
		return false
	}
	for _, doc := range docs {
		r.values = r.values.Over(chart.Values{Root: doc, Files: []string{name}})
	}
	return true
}

// valuesFrom reads the values that ConfigMaps hold; those of Secrets are unknown
// (fluxcd/pkg chartutil/values.go, ChartValuesFromReferences).
func (s *flux) valuesFrom(v *site, d declared, in *inventory, r *release) []loader.Problem {
	var problems []loader.Problem
	o := d.object()
	for _, from := range d.root.List("spec", "valuesFrom") {
		kind, name := from.Str("kind"), from.Str("name")
		unknown := func(why string) {
			if isTrue(from.Get("optional")) {
				why += " (it is optional)"
			}
			problems = append(problems, hedge(r, o.Position(from), "values of the HelmRelease "+quote(d.name)+" come from "+quote(kind+"/"+name)+", "+why))
		}
		if kind != "ConfigMap" {
			// A Secret that sets one value leaves the others known.
			if from.Str("targetPath") == "" || touchesRoutes(from.Str("targetPath")) {
				unknown("which is not read")
			}
			continue
		}
		source := in.configMap(d.namespace, name)
		if source == nil {
			unknown("which is not in the tree")
			continue
		}
		value := source.Root.Get("data", cmp.Or(from.Str("valuesKey"), "values.yaml"))
		if value == nil || value.Shape != loader.String || value.Opaque && !unresolved(value.Text) {
			unknown("which does not say")
			continue
		}
		r.inputs = append(r.inputs, source.Position(value))
		if target := from.Str("targetPath"); target != "" {
			scalar := *value
			scalar.Mark = loader.Mark{Line: uint32(source.Position(value).Line), Column: uint32(source.Position(value).Column)}
			keys, plain := keysOf(target)
			if !plain {
				unknown("whose targetPath is no plain path of keys")
				continue
			}
			r.values = r.values.Set(keys, typed(&scalar, from), source.Position(value).File)
			continue
		}
		r.values = r.values.Over(s.textValues(v, source, value))
	}
	return problems
}

// maxKeys bounds how deep one path of keys leads.
const maxKeys = 100

// keysOf takes a path of Helm's --set apart. One with lists or escapes is not
// read.
func keysOf(name string) ([]string, bool) {
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

// typed reads a value for one path as helm's --set would, unless it is literal.
func typed(v, from *loader.Value) *loader.Value {
	if isTrue(from.Get("literal")) {
		return v
	}
	docs, problems := manifest.Parse([]byte(v.Text), manifest.Limits{})
	if len(problems) > 0 || len(docs) != 1 || nested(docs[0]) {
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
		base := strings.LastIndexByte(d.name, '-')
		if isConfigMap(d.group, d.kind) && (d.namespace == namespace || d.namespace == "" || namespace == "") &&
			base > 0 && d.name[:base] == name && hashed.MatchString(d.name[base+1:]) {
			return d.object()
		}
	}
	return nil
}

// textValues reads values that stand as text in a ConfigMap. Where a file of the tree
// has the same text, since kustomize made the ConfigMap of it, they have its
// places; else those of the text's lines.
func (s *flux) textValues(v *site, source *loader.Object, value *loader.Value) chart.Values {
	docs, _ := manifest.Parse([]byte(value.Text), s.store.opts.Manifest.Limits)
	if len(docs) == 0 {
		return chart.Values{}
	}
	at := source.Position(value)
	dir := path.Dir(at.File)
	for _, file := range v.allBelow(dir) {
		if isManifestFile(file) && string(s.store.raw[v.ids[file]]) == value.Text {
			return chart.Values{Root: docs[0], Files: []string{file}}
		}
	}
	return chart.Values{Root: s.charts.inText(docs[0], v.ids[at.File], value, at), Files: []string{at.File}}
}

// everywhere gives a value and all below one place.
func everywhere(v *loader.Value, at loader.Mark) *loader.Value {
	return remarked(v, func(loader.Mark) loader.Mark { return at })
}

// inText gives values that stand as a text in a file the places that they have
// there: each its own in a literal block, that of the text elsewhere.
func (s *charts) inText(doc *loader.Value, id string, text *loader.Value, at loader.Position) *loader.Value {
	body := *text
	body.Mark = loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}
	line, column, ok := literal(s.store.raw[id], &body)
	if !ok {
		return everywhere(doc, body.Mark)
	}
	return remarked(doc, func(m loader.Mark) loader.Mark {
		return loader.Mark{Line: line + m.Line, Column: column + m.Column}
	})
}

func remarked(v *loader.Value, place placing) *loader.Value {
	return v.Copy(func(v *loader.Value) { v.Mark = place(v.Mark) })
}

// releaseNote says how many releases are known only by their values.
func releaseNote(n int) []string {
	switch n {
	case 0:
		return nil
	case 1:
		return []string{"1 release of app-template is read from its values: its chart is not in the tree"}
	}
	return []string{fmt.Sprintf("%d releases of app-template are read from their values: their chart is not in the tree", n)}
}
