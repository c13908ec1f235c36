package manifest

import (
	"bytes"
	"path"
	"strings"
	"unicode"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/loader"
)

// sourceComment reads what Helm writes above each object: the template that it
// comes from (helm pkg/action, renderResources: "# Source: CHART/templates/FILE").
func sourceComment(data []byte) string {
	for len(data) > 0 {
		var line []byte
		line, data = cutLine(data)
		switch text := bytes.TrimSpace(line); {
		case len(text) == 0 || bytes.HasPrefix(text, markLine[1:]):
		case bytes.HasPrefix(text, []byte("# Source: ")):
			return originPath(string(text[len("# Source: "):]))
		case text[0] != '#':
			return ""
		}
	}
	return ""
}

// originKey is the annotation of kustomize's buildMetadata: originAnnotations
// (api/resource/origin.go): the path of the file, or that of the generator's
// configuration.
const originKey = "config.kubernetes.io/origin"

func originAnnotation(root *loader.Value) string {
	text := root.Str("metadata", "annotations", originKey)
	if text == "" || len(text) > 4096 {
		return ""
	}
	var origin struct{ Path, ConfiguredIn string }
	if err := yaml.Unmarshal([]byte(text), &origin); err != nil {
		return ""
	}
	if origin.Path == "" {
		return originPath(origin.ConfiguredIn)
	}
	return originPath(origin.Path)
}

// originPath is a file for people to open: clean, printable, and without the
// steps up that lead out of the folder that was built.
func originPath(p string) string {
	p = strings.TrimSpace(p)
	if p == "" || len(p) > 1024 || strings.ContainsFunc(p, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return ""
	}
	for p = path.Clean(p); strings.HasPrefix(p, "../"); {
		p = p[len("../"):]
	}
	p = strings.TrimPrefix(p, "/")
	if p == "." || p == ".." {
		return ""
	}
	return p
}
