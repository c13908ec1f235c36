package argocd

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gwplan/gwplan/internal/glob"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// helmValues merges the values of a Helm source into a release.
type helmValues struct {
	*sources
	app     application
	source  *loader.Value
	release *deploy.Release
}

// merge merges the values: parameters override values or valuesObject, which override files. It reports whether Argo CD takes
// them: one file that is not there, and it applies nothing of the Application (reposerver/repository/repository.go, helmTemplate).
func (h helmValues) merge(c *deploy.Cluster) bool {
	options := h.source.Get("helm")
	for _, name := range []string{"valueFiles", "parameters", "fileParameters", "kubeVersion", "apiVersions"} {
		h.release.Option(name, options.Get(name))
	}
	taken := true
	for _, item := range options.List("valueFiles") {
		if refused := h.file(c, item, options.Get("ignoreMissingValueFiles")); refused != nil {
			taken = false
			h.app.lose(c, item, *refused, loader.Warning, h.roots()...)
		}
	}
	h.own(options)
	for _, p := range options.List("parameters") {
		h.parameter(p)
	}
	if len(options.List("fileParameters")) > 0 {
		h.unknown("its fileParameters are not read")
	}
	return taken
}

func (h helmValues) unknown(why string) { h.release.Unknown = append(h.release.Unknown, why) }

// roots are the folders of the tree that the chart is made from.
func (h helmValues) roots() []string {
	if h.release.Dir == "" {
		return nil
	}
	return []string{h.release.Dir}
}

// file merges the files that an entry of valueFiles names, which the cluster then gets something of. It returns why Argo CD refuses
// the entry, or nil.
func (h helmValues) file(c *deploy.Cluster, item, ignores *loader.Value) *deploy.Complaint {
	names, known := h.valueFiles(h.app, h.app.valueFile(h.source, item.Text), h.release.Dir)
	found, read := 0, true
	for _, name := range names {
		if h.view.IDs[name] != "" {
			found++
			c.Covers[name] = true
			read = h.argocd.charts.ValuesFile(h.view, name, h.release) && read
		}
	}
	file := "the values file " + deploy.Quote(item.Text)
	refuse := func(why, hint string) *deploy.Complaint {
		c := deploy.Complain(loader.ArgoValuesMissing, file+" of "+h.app.spoken()+" is "+why, hint)
		return &c
	}
	switch ref := lostReference(h.app, item.Text); {
	case ref != "":
		return refuse("in the source "+deploy.Quote(ref)+", which the Application does not have", "correct the name, or give a source this ref")
	case !known || h.open(item) || ignores != nil && tree.Unresolved(ignores.Text):
		h.unknown(file + " is not in the tree")
	case found == 0 && !ignores.IsTrue():
		return refuse("not in the tree", "correct the path, or set ignoreMissingValueFiles")
	case !read:
		h.unknown(file + " cannot be read")
	}
	return nil
}

// open reports whether something else decides which file an entry names.
func (h helmValues) open(item *loader.Value) bool {
	_, filled := h.app.filled(h.source, item.Text)
	return !filled || item.Opaque || tree.Unresolved(item.Text) || strings.Contains(item.Text, "{{")
}

// own merges the values in the source itself.
func (h helmValues) own(options *loader.Value) {
	if object := options.Get("valuesObject"); tree.Nested(object) {
		h.release.Values = h.release.Values.Over(chart.Values{Root: object, Files: h.app.object.Files})
		return
	}
	text := options.Get("values")
	if text == nil || text.Shape != loader.String {
		return
	}
	docs, problems := manifest.Parse([]byte(text.Text), h.argocd.store.Opts.Manifest.Limits)
	if len(problems) > 0 {
		h.unknown("its values are not valid YAML")
	}
	for _, doc := range docs {
		at := h.app.object.Position(text)
		h.release.Values = h.release.Values.Over(chart.Values{Root: h.argocd.charts.InText(doc, h.view.IDs[at.File], text, at), Files: []string{at.File}})
	}
}

// parameter merges one parameter.
func (h helmValues) parameter(p *loader.Value) {
	value := p.Get("value")
	if value == nil {
		return
	}
	scalar := *value
	if text, ok := h.app.filled(h.source, scalar.Text); scalar.Shape == loader.String {
		scalar.Text, scalar.Opaque = text, scalar.Opaque || !ok
	}
	at := h.app.object.Position(value)
	scalar.Mark = loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}
	keys, plain := chart.KeysOf(p.Str("name"))
	if !plain {
		h.unknown("the parameter name " + deploy.Quote(p.Str("name")) + " is not a plain path of keys (lists and escapes are not supported)")
		return
	}
	set, whole := &scalar, true
	if !p.Get("forceString").IsTrue() {
		set, whole = parameter(&scalar)
	}
	if !whole {
		h.unknown("the parameter " + deploy.Quote(p.Str("name")) + " has a value that Helm's --set does not take as it stands")
		return
	}
	h.release.Values = h.release.Values.Set(keys, set, at.File)
}

// lostReference returns the source that the path of a values file names by its ref if an Application with several sources does not have it
// (reposerver/repository/repository.go, getReferencedSources and getResolvedValueFiles).
func lostReference(app application, entry string) string {
	name, _, isPath := strings.Cut(entry, "/")
	ref, isRef := strings.CutPrefix(name, "$")
	if !isPath || !isRef || len(app.spec().List("sources")) == 0 || strings.HasPrefix(ref, "ARGOCD_") || strings.ContainsAny(ref, "{}") ||
		slices.ContainsFunc(app.sources(), func(s *loader.Value) bool { return s.Str("ref") == ref }) {
		return ""
	}
	return ref
}

// parameter returns the value that Helm makes of a parameter. Argo CD escapes the commas of all but lists
// (util/helm/cmd.go, cleanSetParameters), so such a text is one string.
func parameter(v *loader.Value) (*loader.Value, bool) {
	if strings.Contains(v.Text, ",") && !strings.HasPrefix(v.Text, "{") && !strings.Contains(v.Text, `\`) {
		return v, true
	}
	return chart.Typed(v)
}

// valueFiles returns the files that an entry refers to: relative to the chart, to the root of the
// tree, or to the root of a source that is referenced by $name (repository.go,
// getResolvedValueFiles). known is false for files elsewhere.
func (so *sources) valueFiles(app application, entry, dir string) (names []string, known bool) {
	if strings.Contains(entry, "://") {
		return nil, false
	}
	if rest, isRef := strings.CutPrefix(entry, "$"); isRef {
		ref, below, _ := strings.Cut(rest, "/")
		own := slices.ContainsFunc(app.sources(), func(s *loader.Value) bool { return s.Str("ref") == ref && so.tree.Own(s.Str("repoURL")) })
		if !own {
			return nil, false
		}
		entry = "/" + below
	}
	name := path.Join(dir, entry)
	if rest, root := strings.CutPrefix(entry, "/"); root {
		name = path.Clean(rest)
	} else if dir == "" {
		return nil, false // it is inside a chart that is not in the tree
	}
	if !strings.ContainsAny(name, "*?[") {
		return []string{name}, true
	}
	if !glob.Bounded(name) {
		return nil, false
	}
	for _, file := range so.view.Files {
		if doublestar.MatchUnvalidated(name, file) {
			names = append(names, file)
		}
	}
	return names, true
}
