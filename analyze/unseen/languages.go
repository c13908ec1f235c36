package unseen

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// templated are the extensions of manifests that a template engine outside of the input fills in, written those of
// languages that generate manifests and that are not run here.
var (
	templated = []string{".tpl", ".tmpl", ".gotmpl", ".j2", ".jinja", ".jinja2", ".erb", ".mustache"}
	written   = []string{".tf", ".hcl", ".jsonnet", ".libsonnet", ".cue", ".pkl", ".dhall", ".star", ".nix"}
)

// statedKind matches a kind in such a language, or in YAML that is embedded in it, terraformPolicy the network policies
// of Terraform's Kubernetes provider.
var (
	statedKind      = regexp.MustCompile(`\bkind["']?\s*[:=]\s*["']?([A-Z][A-Za-z]+)\b`)
	terraformPolicy = regexp.MustCompile(`\bkubernetes_network_policy(_v1)?\b`)
)

// maxStated is how many kinds of a file are looked at.
const maxStated = 1000

// languages finds changed files in languages that are not read here, if they write objects that decide about traffic: who renders
// them is not known.
func languages(s *search) {
	for _, file := range s.files.changed {
		ext := path.Ext(file)
		isTemplate := slices.Contains(templated, ext)
		if !isTemplate && !slices.Contains(written, ext) || !s.files.differs(file) || !isManifest(s.files.outsideCharts(strings.TrimSuffix(file, ext)+".yaml"), func(string) bool { return false }) || isApplied(s.Base, file) || isApplied(s.Head, file) {
			continue
		}
		var says []string
		if isTemplate {
			says = s.files.says(file)
		} else {
			says = kindsIn(s, file)
		}
		says = slices.DeleteFunc(slices.Clone(says), func(word string) bool {
			kind, _ := loader.PartsOfWord(word)
			return !decides(kind) && !knownKind(s, kind)
		})
		if len(says) > 0 && !s.below(file) {
			s.found = append(s.found, s.files.entry(file, says))
		}
	}
}

// outsideCharts returns the name of a file without folders of templates that are not those of a chart, as Terraform has them, too.
func (e *fileEdits) outsideCharts(file string) string {
	segments := strings.Split(file, "/")
	for i := len(segments) - 2; i >= 0; i-- {
		chart := path.Join(append(slices.Clone(segments[:i]), "Chart.yaml")...)
		if segments[i] == "templates" && e.base.Content(chart) == "" && e.head.Content(chart) == "" {
			segments = slices.Delete(segments, i, i+1)
		}
	}
	return strings.Join(segments, "/")
}

// kindsIn returns the kinds that the text of a file states on either side.
func kindsIn(s *search, file string) []string {
	var out []string
	for _, side := range []*loader.Snapshot{s.Base, s.Head} {
		if side.Text == nil || side.Content(file) == "" {
			continue
		}
		for _, m := range statedKind.FindAllSubmatch(side.Text(file), maxStated) {
			out = append(out, string(m[1]))
		}
		if terraformPolicy.Match(side.Text(file)) {
			out = append(out, "NetworkPolicy")
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// knownKind reports whether the catalogue has a kind of a name.
func knownKind(s *search, kind string) bool {
	for _, k := range s.Table.Kinds() {
		if k.Kind == kind {
			return true
		}
	}
	return false
}
