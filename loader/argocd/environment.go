package argocd

import (
	"path"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/argoplugin"
	"github.com/gwplan/gwplan/loader/tree"
)

// environment returns the variables that Argo CD sets for the build of a source, as far as
// manifests define them (argo-cd reposerver/repository/repository.go, newEnv and getPluginEnvs).
// Revisions and information from the cluster are unknown.
func (a application) environment(source *loader.Value) argoplugin.Variables {
	known := map[string]string{
		"ARGOCD_APP_NAME":                   a.object.ID.Name,
		"ARGOCD_APP_NAMESPACE":              a.namespace(),
		"ARGOCD_APP_PROJECT_NAME":           a.spec().Str("project"),
		"ARGOCD_APP_SOURCE_REPO_URL":        source.Str("repoURL"),
		"ARGOCD_APP_SOURCE_PATH":            source.Str("path"),
		"ARGOCD_APP_SOURCE_TARGET_REVISION": source.Str("targetRevision"),
	}
	own := pluginVariables(source)
	return func(name string) (string, bool) {
		if value, ok := own(name); ok {
			return a.filled(source, value)
		}
		value, ok := known[name]
		return value, ok
	}
}

// filled substitutes the build variables in a text (types.go, Env.Envsubst). An undefined name
// becomes empty, and $$ becomes a dollar sign. ok is false if a value is not known.
func (a application) filled(source *loader.Value, text string) (out string, ok bool) {
	if !strings.Contains(text, "$") {
		return text, true
	}
	env := a.environment(source)
	var b strings.Builder
	ok = true
	for i := 0; i < len(text); i++ {
		if text[i] != '$' {
			b.WriteByte(text[i])
			continue
		}
		name, width := variableAt(text[i+1:])
		i += width
		switch {
		case name == "$":
			b.WriteByte('$')
		case strings.HasPrefix(name, "ARGOCD_APP_REVISION"), strings.HasPrefix(name, "KUBE_"):
			b.WriteString("${" + name + "}")
			ok = false
		case strings.HasPrefix(name, "ARGOCD_APP_"):
			value, _ := env(name)
			b.WriteString(value)
		}
	}
	return b.String(), ok
}

// variableAt returns the name in NAME or {NAME} and its width.
func variableAt(text string) (name string, width int) {
	if rest, braced := strings.CutPrefix(text, "{"); braced {
		if end := strings.IndexByte(rest, '}'); end >= 0 {
			return rest[:end], end + 2
		}
		return "", 1
	}
	if strings.HasPrefix(text, "$") {
		return "$", 1
	}
	for width < len(text) && (text[width] == '_' || !tree.Unusual(rune(text[width])) && text[width] != '.' && text[width] != '-' && text[width] != '+') {
		width++
	}
	return text[:width], width
}

// valueFile returns an entry of valueFiles with its variables substituted. A leading reference to
// another source is not a variable and stays (repository.go, getResolvedValueFiles).
func (a application) valueFile(source *loader.Value, entry string) string {
	ref := ""
	if strings.HasPrefix(entry, "$") {
		name, rest, _ := strings.Cut(entry, "/")
		for _, s := range a.sources() {
			if "$"+s.Str("ref") == name {
				ref, entry = name+"/", rest
			}
		}
	}
	out, _ := a.filled(source, entry)
	if ref != "" {
		return ref + path.Clean("/" + out)[1:]
	}
	return out
}
