package manifest

import (
	"bytes"
	"path"
	"strings"
	"unicode"

	"github.com/gwplan/gwplan/internal/yamltext"
	"github.com/gwplan/gwplan/loader"
)

// sourceComment returns the template named in the comment that Helm writes above each object (helm
// pkg/action, renderResources: "# Source: CHART/templates/FILE").
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

// originKey is the annotation that kustomize writes for buildMetadata: originAnnotations
// (api/resource/origin.go). It contains the path of the file, or of the generator's configuration.
const originKey = "config.kubernetes.io/origin"

func originAnnotation(root *loader.Value) string {
	text := root.Str("metadata", "annotations", originKey)
	if text == "" || len(text) > 4096 {
		return ""
	}
	var origin struct{ Path, ConfiguredIn string }
	if err := yamltext.Unmarshal([]byte(text), &origin); err != nil {
		return ""
	}
	if origin.Path == "" {
		return originPath(origin.ConfiguredIn)
	}
	return originPath(origin.Path)
}

// originPath returns a path that the user can open: clean, printable, and without leading ".."
// elements, which lead out of the folder that was built.
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
