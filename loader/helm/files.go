package helm

import (
	"encoding/base64"
	"path"
	"strings"

	"github.com/gobwas/glob"
)

// Files are the files of a chart as templates read them, in .Files (helm
// pkg/engine/files.go).
type Files map[string][]byte

func newFiles(list []File) Files {
	out := Files{}
	for _, f := range list {
		out[f.Name] = f.Data
	}
	return out
}

// GetBytes returns the content of a file, empty if the file does not exist.
func (f Files) GetBytes(name string) []byte {
	if data, ok := f[name]; ok {
		return data
	}
	return []byte{}
}

// Get returns the content of a file as text.
func (f Files) Get(name string) string { return string(f.GetBytes(name)) }

// Glob returns the files that match a pattern. An invalid pattern matches all files.
func (f Files) Glob(pattern string) Files {
	g, err := glob.Compile(pattern, '/')
	if err != nil {
		g = glob.MustCompile("**")
	}
	out := Files{}
	for name, data := range f {
		if g.Match(name) {
			out[name] = data
		}
	}
	return out
}

// AsConfig returns the files as the data of a ConfigMap.
func (f Files) AsConfig() string {
	return f.data(func(data []byte) string { return string(data) })
}

// AsSecrets returns the files as the data of a Secret.
func (f Files) AsSecrets() string { return f.data(base64.StdEncoding.EncodeToString) }

func (f Files) data(encode func([]byte) string) string {
	if f == nil {
		return ""
	}
	out := map[string]string{}
	for name, data := range f {
		out[path.Base(name)] = encode(data)
	}
	return toYAML(out)
}

// Lines are the lines of a file.
func (f Files) Lines(name string) []string {
	if len(f[name]) == 0 {
		return []string{}
	}
	return strings.Split(strings.TrimSuffix(string(f[name]), "\n"), "\n")
}
