package data

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// EffectiveYAML writes the spec proper of each effective policy as a stream of
// documents, usable as the spec of a policy of that kind.
func EffectiveYAML(w io.Writer, list *plan.EffectiveList, _ outline.Style) error {
	var b bytes.Buffer
	for _, p := range list.Problems {
		fmt.Fprintf(&b, "# %s\n", outline.Safe(outline.ProblemText(&p)))
	}
	for _, note := range list.Notes {
		fmt.Fprintf(&b, "# note: %s\n", outline.Safe(note))
	}
	for _, env := range list.Environments {
		where := ""
		if outline.Named([]string{env.Name}) {
			where = " in " + outline.Safe(env.Name)
		}
		if len(env.Effective) == 0 {
			fmt.Fprintf(&b, "# no effective policy to show in environment %s\n", outline.Safe(env.Name))
		}
		for i := range env.Effective {
			if err := yamlSpec(&b, &env.Effective[i], where); err != nil {
				return err
			}
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func yamlSpec(b *bytes.Buffer, e *plan.Effective, where string) error {
	fmt.Fprintf(b, "---\n# %s at %s (contexts: %d)%s\n", outline.Safe(e.PolicyKind.Kind), outline.Safe(e.Target), e.ContextCount, where)
	spec := e.Spec
	if spec == nil {
		spec = map[string]any{}
	}
	data, err := yaml.Marshal(spec)
	if err != nil || unsafeYAML(string(data)) {
		// JSON is also YAML and can escape every character. It is written directly: the library
		// rejects C1 when it converts JSON to YAML.
		return WriteJSON(b, spec)
	}
	b.Write(data)
	return nil
}

// unsafeYAML reports whether block YAML would contain a hidden character, or a line that GitHub
// Actions reads as a workflow command.
func unsafeYAML(s string) bool {
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		if strings.ContainsFunc(line, outline.Hidden) || strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, outline.Inline) {
			return true
		}
	}
	return false
}

// StatusYAML writes the List as YAML.
func StatusYAML(w io.Writer, list *plan.StatusList, style outline.Style) error {
	list = Shortened(list, style.Largest)
	data, err := yaml.Marshal(filled(reflect.ValueOf(list)).Interface())
	if err != nil || unsafeYAML(string(data)) {
		return WriteJSON(w, list)
	}
	_, err = w.Write(data)
	return err
}
