package helm

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"text/template"

	"github.com/BurntSushi/toml"
	"github.com/Masterminds/sprig/v3"
	"sigs.k8s.io/yaml"
	goyaml "sigs.k8s.io/yaml/goyaml.v3"

	"github.com/gwplan/gwplan/internal/yamltext"
)

// functions returns Helm's template functions, without those that read environment variables and
// without lookup, which the caller supplies (helm pkg/engine/funcs.go, funcMap).
func functions() template.FuncMap {
	out := sprig.TxtFuncMap()
	for _, name := range []string{"env", "expandenv"} {
		delete(out, name)
	}
	maps.Copy(out, template.FuncMap{
		"toToml":        orMessage(marshalTOML),
		"mustToToml":    marshalTOML,
		"fromToml":      func(text string) (map[string]any, error) { return readMap(text, toml.Unmarshal) },
		"toYaml":        toYAML,
		"mustToYaml":    marshalYAML,
		"toYamlPretty":  orNothing(marshalPretty),
		"fromYaml":      func(text string) (map[string]any, error) { return readMap(text, yamltext.Unmarshal) },
		"fromYamlArray": func(text string) ([]any, error) { return readList(text, yamltext.Unmarshal) },
		"toJson":        orNothing(marshalJSON),
		"mustToJson":    marshalJSON,
		"fromJson":      func(text string) (map[string]any, error) { return readMap(text, json.Unmarshal) },
		"fromJsonArray": func(text string) ([]any, error) { return readList(text, json.Unmarshal) },
		"required":      required,
		"fail":          func(message string) (string, error) { return "", &Refusal{message} },
	})
	maps.Copy(out, durations())
	return out
}

func toYAML(v any) string { return orNothing(marshalYAML)(v) }

func marshalYAML(v any) (string, error) {
	data, err := yaml.Marshal(v)
	return strings.TrimSuffix(string(data), "\n"), err
}

func marshalPretty(v any) (string, error) {
	var b bytes.Buffer
	e := goyaml.NewEncoder(&b)
	e.SetIndent(2)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

func marshalJSON(v any) (string, error) {
	data, err := json.Marshal(v)
	return string(data), err
}

func marshalTOML(v any) (string, error) {
	var b bytes.Buffer
	err := toml.NewEncoder(&b).Encode(v)
	return b.String(), err
}

// orNothing returns an empty text for a value that cannot be written.
func orNothing(write func(any) (string, error)) func(any) string {
	return func(v any) string {
		text, err := write(v)
		if err != nil {
			return ""
		}
		return text
	}
}

// orMessage returns the error message for a value that cannot be written.
func orMessage(write func(any) (string, error)) func(any) string {
	return func(v any) string {
		text, err := write(v)
		if err != nil {
			return err.Error()
		}
		return text
	}
}

// readMap returns the map in a text. If the text cannot be read, the key Error holds the reason, except
// for a text that Helm would read and that is too long here.
func readMap(text string, read func([]byte, any) error) (map[string]any, error) {
	out := map[string]any{}
	err := read([]byte(text), &out)
	if errors.Is(err, yamltext.ErrTooLong) {
		return nil, err
	}
	if err != nil {
		out["Error"] = err.Error()
	}
	return out, nil
}

// readList returns the list in a text. If the text cannot be read, the only item is the reason.
func readList(text string, read func([]byte, any) error) ([]any, error) {
	out := []any{}
	err := read([]byte(text), &out)
	if errors.Is(err, yamltext.ErrTooLong) {
		return nil, err
	}
	if err != nil {
		return []any{err.Error()}, nil
	}
	return out, nil
}
