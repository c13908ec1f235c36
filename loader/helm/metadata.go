package helm

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"unicode"

	"github.com/Masterminds/semver/v3"
)

// Metadata is the content of Chart.yaml (helm pkg/chart/v2/metadata.go). Templates see its fields
// under these Go names in .Chart.
type Metadata struct {
	Name         string            `json:"name"`
	Home         string            `json:"home"`
	Sources      []string          `json:"sources"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	Keywords     []string          `json:"keywords"`
	Maintainers  []*Maintainer     `json:"maintainers"`
	Icon         string            `json:"icon"`
	APIVersion   string            `json:"apiVersion"`
	Condition    string            `json:"condition"`
	Tags         string            `json:"tags"`
	AppVersion   string            `json:"appVersion"`
	Deprecated   bool              `json:"deprecated"`
	Annotations  map[string]string `json:"annotations"`
	KubeVersion  string            `json:"kubeVersion"`
	Dependencies []*Dependency     `json:"dependencies"`
	Type         string            `json:"type"`
}

// Maintainer of a chart.
type Maintainer struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	URL   string `json:"url"`
}

// Dependency is an entry of dependencies in Chart.yaml (helm pkg/chart/v2/dependency.go).
type Dependency struct {
	Name         string   `json:"name"`
	Version      string   `json:"version"`
	Repository   string   `json:"repository"`
	Condition    string   `json:"condition"`
	Tags         []string `json:"tags"`
	Enabled      bool     `json:"enabled"`
	ImportValues []any    `json:"import-values"`
	Alias        string   `json:"alias"`
}

// apiVersion1 is the apiVersion of charts whose dependencies are in requirements.yaml.
const apiVersion1 = "v1"

// validate checks the metadata and removes unprintable characters (metadata.go, Validate).
func (m *Metadata) validate() error {
	for _, text := range []*string{&m.Name, &m.Description, &m.Home, &m.Icon, &m.Condition, &m.Tags, &m.AppVersion, &m.KubeVersion} {
		*text = printable(*text)
	}
	for _, list := range [][]string{m.Sources, m.Keywords} {
		for i := range list {
			list[i] = printable(list[i])
		}
	}
	switch {
	case m.APIVersion == "":
		return invalid("chart.metadata.apiVersion is required")
	case m.Name == "":
		return invalid("chart.metadata.name is required")
	case m.Name == "." || m.Name == "..":
		return invalid("chart.metadata.name %q is not allowed", m.Name)
	case m.Name != filepath.Base(m.Name):
		return invalid("chart.metadata.name %q is invalid", m.Name)
	case m.Version == "":
		return invalid("chart.metadata.version is required")
	case !isVersion(m.Version):
		return invalid("chart.metadata.version %q is invalid", m.Version)
	case m.Type != "" && m.Type != "application" && m.Type != "library":
		return invalid("chart.metadata.type must be application or library")
	}
	for _, maintainer := range m.Maintainers {
		if maintainer == nil {
			return invalid("maintainers must not contain empty or null nodes")
		}
		for _, text := range []*string{&maintainer.Name, &maintainer.Email, &maintainer.URL} {
			*text = printable(*text)
		}
	}
	return m.validateDependencies()
}

func (m *Metadata) validateDependencies() error {
	seen := map[string]bool{}
	for _, d := range m.Dependencies {
		if err := d.validate(); err != nil {
			return err
		}
		key := d.Name
		if d.Alias != "" {
			key = d.Alias
		}
		if seen[key] {
			return invalid("more than one dependency with name or alias %q", key)
		}
		seen[key] = true
	}
	return nil
}

// alias matches the allowed aliases of a dependency.
var alias = regexp.MustCompile("^[a-zA-Z0-9_-]+$")

func (d *Dependency) validate() error {
	if d == nil {
		return invalid("dependencies must not contain empty or null nodes")
	}
	for _, text := range []*string{&d.Name, &d.Version, &d.Repository, &d.Condition} {
		*text = printable(*text)
	}
	for i := range d.Tags {
		d.Tags[i] = printable(d.Tags[i])
	}
	if d.Alias != "" && !alias.MatchString(d.Alias) {
		return invalid("dependency %q has disallowed characters in the alias", d.Name)
	}
	return nil
}

func invalid(format string, args ...any) error {
	return errors.New("validation: " + fmt.Sprintf(format, args...))
}

func isVersion(text string) bool {
	_, err := semver.NewVersion(text)
	return err == nil
}

// inRange reports whether a version satisfies a constraint (helm pkg/chart/v2/util/compatible.go).
func inRange(constraint, version string) bool {
	v, err := semver.NewVersion(version)
	if err != nil {
		return false
	}
	c, err := semver.NewConstraint(constraint)
	return err == nil && c.Check(v)
}

func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return -1
	}, text)
}

// fields returns the fields of a struct as templates see them: under their Go names, with the
// structs in its lists as maps (helm pkg/chart/common.go, structToMap).
func fields(of reflect.Value) map[string]any {
	out := make(map[string]any, of.NumField())
	for field, v := range of.Fields() {
		if v.Kind() != reflect.Slice {
			out[field.Name] = v.Interface()
			continue
		}
		list := make([]any, v.Len())
		for i := range list {
			if item := v.Index(i); item.Kind() == reflect.Pointer {
				list[i] = fields(item.Elem())
			} else {
				list[i] = item.Interface()
			}
		}
		out[field.Name] = list
	}
	return out
}

func (m *Metadata) fields() map[string]any { return fields(reflect.ValueOf(m).Elem()) }
