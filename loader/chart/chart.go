// Package chart renders Helm charts in process, as package helm does, with bounds for untrusted
// templates: it fetches nothing, reads nothing from a cluster, starts no program, and limits time
// and memory (package gotemplate). Equal input gives equal output.
package chart

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/gotemplate"
	"github.com/gwplan/gwplan/loader/helm"
	"github.com/gwplan/gwplan/loader/manifest"
)

// Release is a chart with the values that it is installed with.
type Release struct {
	Name, Namespace string
	Values          Values
	// CRDs means that the files of crds/ are rendered, too.
	CRDs bool
	// Upgrade means that the release is there already: helm template, which Argo CD and kustomize use,
	// always installs.
	Upgrade bool
	// APIs are further API versions, and kinds in them, that the cluster has.
	APIs []string
}

// Document is one rendered object.
type Document struct {
	// Template is the name of the template, in which subcharts have their names, Path its file relative to the folder of the
	// chart. Chart.Place says where a file comes from that is in neither.
	Template, Path string
	// Root has marks where a value of the release set it. Mark.File counts the files of the values
	// from 1. Other values have no position.
	Root *loader.Value
}

// Output is the result of rendering a chart.
type Output struct {
	Documents []Document
	Problems  []Problem
	// Asks are what templates asked the cluster for in vain.
	Asks []Ask
}

// Problem is rendered output that cannot be read. Template and Path are those of Document.
type Problem struct {
	Template, Path, Message string
	// Output identifies the text that is no YAML.
	Output string
}

// Renderer renders charts. It is not safe for concurrent use.
type Renderer struct {
	Limits   gotemplate.Limits
	Manifest manifest.Limits
	// rewritten are the rewritten templates, by original text.
	rewritten map[string]string
}

// NewRenderer returns a Renderer with the default template limits.
func NewRenderer(limits manifest.Limits) *Renderer {
	return &Renderer{Limits: gotemplate.DefaultLimits(), Manifest: limits, rewritten: map[string]string{}}
}

// kubeVersion is the Kubernetes version that charts are rendered for, because the version of the
// cluster is not known.
const kubeVersion = "v1.36.0"

// KubeVersion is the minor version of Kubernetes that charts are rendered for.
func KubeVersion() string { return strings.TrimSuffix(kubeVersion, ".0") }

// Render returns the objects of a release in the order of their templates.
func (r *Renderer) Render(c *Chart, release Release) (Output, error) {
	out := Output{}
	texts, err := r.texts(c, release, nil, &out)
	if err != nil {
		return Output{}, err
	}
	for _, t := range texts {
		docs, problems := manifest.Parse([]byte(t.text), r.Manifest)
		for _, p := range problems {
			out.Problems = append(out.Problems, Problem{t.file, t.path, p.Message, loader.Hashed(t.text)})
		}
		for _, object := range objects(docs) {
			out.Documents = append(out.Documents, Document{t.file, t.path, unplaced(object)})
		}
	}
	return out, nil
}

// objects returns the applied objects of documents. Lists are replaced by their items.
func objects(docs []*loader.Value) []*loader.Value {
	var out []*loader.Value
	for _, doc := range docs {
		of := []*loader.Value{doc}
		if list := doc.Get("items"); list != nil && list.Shape == loader.List && strings.HasSuffix(doc.Str("kind"), "List") {
			of = list.Items
		}
		for _, object := range of {
			if object.Shape == loader.Map && loader.AppliedHook(object.Str("metadata", "annotations", loader.HelmHook)) {
				out = append(out, object)
			}
		}
	}
	return out
}

// parsed returns the objects of a text.
func (r *Renderer) parsed(text string) []*loader.Value {
	docs, _ := manifest.Parse([]byte(text), r.Manifest)
	return objects(docs)
}

func unplaced(v *loader.Value) *loader.Value {
	v.Mark = loader.Mark{}
	for _, f := range v.Fields {
		unplaced(f.Value)
	}
	for _, item := range v.Items {
		unplaced(item)
	}
	return v
}

// rendered is the output of one template.
type rendered struct{ file, path, text string }

// texts renders the templates.
func (r *Renderer) texts(c *Chart, release Release, leaf func(*loader.Value) any, notes *Output) (out []rendered, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("the chart cannot be rendered: %v", p)
		}
	}()
	loaded, err := c.load()
	if err != nil {
		return nil, err
	}
	budget := gotemplate.NewBudget(r.Limits)
	defer budget.Close()
	values := release.Values.Plain(leaf)
	if err := helm.ProcessDependencies(loaded, values); err != nil {
		return nil, fmt.Errorf("the dependencies of the chart: %v", err)
	}
	cluster := Capabilities()
	cluster.APIVersions = append(cluster.APIVersions, release.APIs...)
	notes.Asks = append(asks(loaded, cluster.APIVersions), demands(loaded)...)
	if err := r.instrument(loaded); err != nil {
		return nil, err
	}
	files, err := helm.Render(loaded, values, helm.Release{Name: release.Name, Namespace: release.Namespace, Upgrade: release.Upgrade}, cluster, budget.Funcs(), func(template, text string) {
		for _, function := range budget.Guessed() {
			kinds := append(kindsIn([]byte(text)), kindsIn(source(loaded, template))...)
			notes.Asks = add(notes.Asks, Ask{Function: function, Kinds: kinds})
		}
	})
	if budget.Err() != nil {
		return nil, budget.Err()
	}
	if err != nil {
		return nil, errors.New(reason(err))
	}
	paths := loaded.Paths()
	for name, text := range files {
		base := path.Base(name)
		if strings.HasSuffix(base, "NOTES.txt") || strings.HasPrefix(base, "_") || strings.TrimSpace(text) == "" {
			continue
		}
		out = append(out, rendered{strings.TrimPrefix(name, loaded.Name()+"/"), paths[name], mark.ReplaceAllString(text, "---\n")})
	}
	if release.CRDs {
		for _, crd := range loaded.CRDs() {
			out = append(out, rendered{strings.TrimPrefix(crd.Name, loaded.Name()+"/"), crd.Path, string(crd.Data)})
		}
	}
	slices.SortFunc(out, func(a, b rendered) int { return cmp.Compare(a.file, b.file) })
	return out, nil
}

// mark matches the mark between documents, which Helm finds whatever comes behind it on its line: trimming in a template puts text
// there (helm pkg/release/v1/util/manifest.go, SplitManifests).
var mark = regexp.MustCompile(`(?m)^---[ \t]*`)

// lines matches line numbers in templates, which the rewrite changes. own matches the functions
// that the rewrite adds.
var (
	lines = regexp.MustCompile(`(\.(?:yaml|yml|tpl|json|txt)):\d+(?::\d+)?`)
	own   = regexp.MustCompile(`(error calling |<)?gwplan(Step|Take|Deeper|Enter|Leave)[^:>]*[:>]? ?`)
)

// reason shortens an error of the engine to the template and the cause. The rest repeats the call
// path to the cause.
func reason(err error) string {
	text := err.Error()
	var said []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			said = append(said, line)
		}
	}
	if len(said) == 0 {
		return "the template engine failed without an error message"
	}
	out := said[0]
	if len(said) > 1 {
		out += ": " + said[len(said)-1]
	}
	out = own.ReplaceAllString(lines.ReplaceAllString(out, "$1"), "")
	if r := []rune(out); len(r) > 300 {
		return string(r[:300]) + "…"
	}
	return out
}

// Capabilities returns those of a cluster with Gateway API, because charts check for group/version and
// group/version/kind before they render routes. Other CRDs count as absent; what a template asks for in vain is in
// Output.Asks.
func Capabilities() *helm.Capabilities {
	out := helm.Capabilities{
		KubeVersion: helm.KubeVersion{Version: kubeVersion, Major: "1", Minor: "36"},
		APIVersions: helm.BuiltIn(),
		HelmVersion: helm.Build(),
	}
	const group = "gateway.networking.k8s.io/"
	for version, kinds := range map[string][]string{
		"v1":       {"GatewayClass", "Gateway", "HTTPRoute", "GRPCRoute", "TLSRoute", "BackendTLSPolicy", "ListenerSet", "ReferenceGrant"},
		"v1beta1":  {"GatewayClass", "Gateway", "HTTPRoute", "ReferenceGrant"},
		"v1alpha3": {"BackendTLSPolicy", "TLSRoute"},
		"v1alpha2": {"TCPRoute", "TLSRoute", "UDPRoute"},
	} {
		out.APIVersions = append(out.APIVersions, group+version)
		for _, kind := range kinds {
			out.APIVersions = append(out.APIVersions, group+version+"/"+kind)
		}
	}
	// Kubernetes kinds that charts check by name.
	out.APIVersions = append(out.APIVersions, "v1/Service", "networking.k8s.io/v1/Ingress", "networking.k8s.io/v1/NetworkPolicy",
		"policy/v1/PodDisruptionBudget", "autoscaling/v2/HorizontalPodAutoscaler", "batch/v1/CronJob", "apps/v1/Deployment")
	slices.Sort(out.APIVersions)
	return &out
}

// defaults returns the default values of a chart, nil if it cannot be read.
func (c *Chart) defaults() map[string]any {
	loaded, err := c.load()
	if err != nil {
		return nil
	}
	return loaded.Values
}
