package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/catalogue"
)

// kindsCommand explains policy kinds.
type kindsCommand struct {
	Kind      string `arg:"" optional:"" help:"KIND or KIND.GROUP, in any case; a list of all by default."`
	Output    string `short:"o" enum:"text,yaml" default:"text" help:"text, or yaml: the entry, as the configuration takes it under kinds."`
	Directory string `short:"C" placeholder:"DIR" help:"Run as if started in DIR; the configuration there may add kinds."`
	Config    string `placeholder:"FILE" env:"GWPLAN_CONFIG" help:"Configuration to use instead of .gwplan.yaml."`
	NoConfig  bool   `help:"Use no configuration."`
}

// Run prints the list, or the kinds of one name in full.
func (c *kindsCommand) Run(t terminal) error {
	kinds, sources, err := c.kinds()
	if err != nil {
		return err
	}
	hint := c.hint(kinds)
	kinds = slices.DeleteFunc(kinds, func(k *policy.Kind) bool {
		return c.Kind != "" && !strings.EqualFold(k.Name(), c.Kind) && !strings.EqualFold(k.String(), c.Kind) && !strings.EqualFold(k.ID, c.Kind)
	})
	switch {
	case len(kinds) == 0:
		return usageError(fmt.Sprintf("no kind %q in the catalogue or the configuration", c.Kind), hint)
	case c.Output == "yaml":
		return writeEntries(t.stdout, kinds)
	case c.Kind == "":
		return listKinds(t.stdout, kinds)
	}
	for i, k := range kinds {
		if i > 0 {
			fmt.Fprintln(t.stdout)
		}
		if err := catalogue.Kind(t.stdout, k, sources); err != nil {
			return err
		}
	}
	return nil
}

// hint suggests what to do if no kind has the given name.
func (c *kindsCommand) hint(kinds []*policy.Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name()
	}
	hint := "gwplan kinds lists them; kinds of CRDs in the repository are found when it is analysed"
	if near := spelling.Nearest(c.Kind, names); near != "" {
		return "did you mean " + near + "? " + hint
	}
	return hint
}

// writeEntries prints entries in the form of the configuration, with profiles already applied.
func writeEntries(out io.Writer, kinds []*policy.Kind) error {
	entries := make([]policy.Entry, 0, len(kinds))
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

// kinds returns the kinds of the catalogue and of the configuration in the working directory, and
// what the abbreviations in their sources mean.
func (c *kindsCommand) kinds() (kinds []*policy.Kind, sources map[string]string, err error) {
	in := inputFlags{Directory: c.Directory, Config: c.Config, NoConfig: c.NoConfig}
	configured, err := in.localConfig()
	if err != nil {
		return nil, nil, err
	}
	s, err := prepare(configured, in, outputFlags{})
	if err != nil {
		return nil, nil, err
	}
	return policy.NewTable(s.options.Catalogue, s.options.Kinds).Kinds(), s.options.Catalogue.Sources, nil
}

func listKinds(out io.Writer, kinds []*policy.Kind) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KIND\tGROUP\tCLASS\tTARGETS\tMERGE\tCHECKED")
	for _, k := range kinds {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", k.Name(), k.Group, k.Class(), targetKinds(k), mergeWord(k), catalogue.Checked(k))
	}
	return w.Flush()
}

// targetKinds are the kinds that may be targeted, without groups and sections.
func targetKinds(k *policy.Kind) string {
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

func mergeWord(k *policy.Kind) string {
	word := string(k.LevelAlgorithm)
	if s := k.Merge.Levels.Select; s != nil {
		word += " by " + s.Field
	}
	return word
}
