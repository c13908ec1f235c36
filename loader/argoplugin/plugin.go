// Package argoplugin interprets config management plugins of Argo CD. For a plugin that
// builds a folder with kustomize or Helm and fills in placeholders, it returns what is
// built. It runs no command, and it rejects a command with any unsupported part.
package argoplugin

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gwplan/gwplan/internal/glob"
	"github.com/gwplan/gwplan/loader"
)

// Definition is a plugin (argo-cd cmpserver/plugin/config.go, PluginConfig; before
// v2.8 util/settings, ConfigManagementPlugin).
type Definition struct {
	// Name is the name by which Applications refer to the plugin.
	Name string
	// Command is the command, with its arguments, that prints the objects.
	Command []string
	// Discovers means that the plugin may render Applications that name no plugin.
	Discovers bool
	discover  *loader.Value
}

// Kind is the kind of documents that define plugins.
const Kind = "ConfigManagementPlugin"

// Of returns the plugins that a document defines at any depth: as the document itself, as a
// text in a ConfigMap, or as values of the Argo CD chart.
func Of(doc *loader.Value, parse func(string) []*loader.Value) []Definition {
	var out []Definition
	var visit func(*loader.Value)
	visit = func(v *loader.Value) {
		if v == nil {
			return
		}
		if v.Str("kind") == Kind && v.Get("spec", "generate") != nil {
			name := v.Str("metadata", "name")
			if version := v.Str("spec", "version"); version != "" {
				name += "-" + version
			}
			out = append(out, definition(name, v.Get("spec")))
			return
		}
		for _, f := range v.Get("cmp", "plugins").FieldList() {
			out = append(out, definition(f.Key, f.Value))
		}
		for _, f := range v.FieldList() {
			switch {
			case f.Key == "configManagementPlugins":
				list := f.Value.ItemList()
				if f.Value.Shape == loader.String {
					list = nil
					for _, doc := range parse(f.Value.Text) {
						list = append(list, doc.ItemList()...)
					}
				}
				for _, item := range list {
					out = append(out, definition(item.Str("name"), item))
				}
			case f.Value.Shape == loader.String && strings.Contains(f.Value.Text, "kind: "+Kind):
				for _, doc := range parse(f.Value.Text) {
					visit(doc)
				}
			default:
				visit(f.Value)
			}
		}
		for _, item := range v.ItemList() {
			visit(item)
		}
	}
	visit(doc)
	return out
}

func definition(name string, spec *loader.Value) Definition {
	d := Definition{Name: name, discover: spec.Get("discover")}
	for _, key := range []string{"command", "args"} {
		for _, item := range spec.List("generate", key) {
			d.Command = append(d.Command, item.Text)
		}
	}
	d.Discovers = d.discover.Str("fileName") != "" || d.discover.Str("find", "glob") != "" || len(d.discover.List("find", "command")) > 0
	return d
}

// named matches `find . -name PATTERN` and captures the pattern.
var named = regexp.MustCompile(`find \.(?:/)? (?:-type f )?-i?name ['"]?([^'" |;&]+)['"]?`)

// guard matches a test that a variable of the source is not empty, before the `find`.
var guard = regexp.MustCompile(`(?:\[\[? +(?:! +-z|-n) +|test +-n +)"?\$\{?(ARGOCD_ENV_\w+)\}?"?(?: +\]\]?)? *&&`)

// Takes reports whether the plugin's discovery matches a folder. files are the paths of its
// files, relative to it (cmpserver/plugin/plugin.go, matchRepository). env are the variables
// that the source sets. known is false if the result depends on an unsupported command.
func (d *Definition) Takes(files []string, env Variables) (takes, known bool) {
	has := func(match func(string) bool) (bool, bool) { return slices.ContainsFunc(files, match), true }
	if pattern := d.discover.Str("fileName"); pattern != "" {
		return has(func(file string) bool { ok, err := path.Match(path.Clean(pattern), file); return err == nil && ok })
	}
	if pattern := d.discover.Str("find", "glob"); pattern != "" {
		if pattern = path.Clean(pattern); !glob.Bounded(pattern) {
			return false, false
		}
		return has(func(file string) bool { return doublestar.MatchUnvalidated(pattern, file) })
	}
	var words []string
	for _, key := range []string{"command", "args"} {
		for _, item := range d.discover.List("find", key) {
			words = append(words, item.Text)
		}
	}
	if m := guard.FindStringSubmatch(strings.Join(words, " ")); m != nil {
		if value, known := env(m[1]); known && value == "" {
			return false, true
		}
	}
	found := named.FindAllStringSubmatch(strings.Join(words, " "), -1)
	if len(found) == 0 || strings.Contains(strings.Join(words, " "), "grep") {
		return false, false
	}
	// find succeeds even if it prints nothing, so one match of any `find` is enough.
	return has(func(file string) bool {
		return slices.ContainsFunc(found, func(f []string) bool {
			ok, err := path.Match(f[1], path.Base(file))
			return err == nil && ok
		})
	})
}

// WellKnown returns the plugin with a name from the documentation of the projects
// (argocd-vault-plugin docs/usage.md; argocd-vault-replacer README.md; argo-cd
// examples/plugins). It is for repositories that do not define the plugin.
func WellKnown(name string) (Definition, bool) {
	command, ok := wellKnown[name]
	return Definition{Name: name, Command: []string{"sh", "-c", command}}, ok
}

var wellKnown = map[string]string{
	"argocd-vault-plugin":                  "argocd-vault-plugin generate .",
	"argocd-vault-plugin-kustomize":        "kustomize build . | argocd-vault-plugin generate -",
	"argocd-vault-plugin-helm":             "helm template $ARGOCD_APP_NAME -n $ARGOCD_APP_NAMESPACE ${ARGOCD_ENV_HELM_ARGS} . | argocd-vault-plugin generate -",
	"argocd-vault-plugin-helm-with-values": `helm template $ARGOCD_APP_NAME -n $ARGOCD_APP_NAMESPACE -f <(echo "$ARGOCD_ENV_HELM_VALUES") . | argocd-vault-plugin generate -`,
	"avp":                                  "argocd-vault-plugin generate .",
	"avp-kustomize":                        "kustomize build . | argocd-vault-plugin generate -",
	"avp-helm":                             `helm template $ARGOCD_APP_NAME -n $ARGOCD_APP_NAMESPACE -f <(echo "$ARGOCD_ENV_HELM_VALUES") . | argocd-vault-plugin generate -`,
	"argocd-vault-replacer":                "argocd-vault-replacer",
	"kustomize-argocd-vault-replacer":      "kustomize build . | argocd-vault-replacer",
	"helm-argocd-vault-replacer":           "helm template -n $ARGOCD_APP_NAMESPACE $ARGOCD_APP_NAME . | argocd-vault-replacer",
	"kustomize-build-with-helm":            "kustomize build --enable-helm",
}
