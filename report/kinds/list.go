package kinds

import (
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/report/outline"
)

// Entries writes the entries of kinds in the form of the configuration, with profiles already applied.
func Entries(out io.Writer, kinds []*catalogue.Kind) error {
	entries := make([]catalogue.Entry, 0, len(kinds))
	for _, k := range kinds {
		entries = append(entries, k.Entry)
	}
	data, err := yaml.Marshal(map[string]any{"kinds": entries})
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return err
}

// List writes a table of kinds, a line each, to fit a terminal of this width; 0 is no limit.
func List(out io.Writer, kinds []*catalogue.Kind, policies []*network.Kind, width int) error {
	rows := [][]string{{"KIND", "GROUP", "CLASS", "TARGETS", "MERGE", "CHECKED"}}
	for _, k := range kinds {
		rows = append(rows, []string{k.Name(), k.Group, string(k.Class()), targetKinds(k), mergeWord(k), Checked(k)})
	}
	for _, k := range policies {
		rows = append(rows, []string{k.Name, k.Group, "Network", "workloads", "in tiers", "code"})
	}
	_, err := io.WriteString(out, strings.Join(outline.Table(outline.Narrowed(rows, width, "TARGETS", "CLASS", "MERGE"), width), "\n")+"\n")
	return err
}

// targetKinds are the kinds that may be targeted, without groups and sections.
func targetKinds(k *catalogue.Kind) string {
	var out []string
	for _, a := range k.Target.Allowed {
		a = a[strings.LastIndexByte(a, '/')+1:]
		a, _, _ = strings.Cut(a, ":")
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		return "any"
	}
	return strings.Join(out, ",")
}

func mergeWord(k *catalogue.Kind) string {
	word := string(k.LevelAlgorithm)
	if s := k.Merge.Levels.Select; s != nil {
		word += " by " + s.Field
	}
	return word
}
