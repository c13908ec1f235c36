package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader/tree"
	"github.com/gwplan/gwplan/report/kinds"
	"github.com/gwplan/gwplan/report/outline"
)

// kindsCommand explains policy kinds.
type kindsCommand struct {
	Kind      string `arg:"" optional:"" complete:"kind" help:"KIND or KIND.GROUP, in any case; a list of all by default."`
	Output    string `short:"o" enum:"text,yaml" default:"text" help:"text, or yaml: the entry in the form used under kinds in the configuration."`
	Directory string `short:"C" placeholder:"DIR" help:"Run as if started in DIR; the configuration there may add kinds."`
	Config    string `placeholder:"FILE" env:"GWPLAN_CONFIG" help:"Configuration to use instead of .gwplan.yaml."`
	NoConfig  bool   `help:"Use no configuration."`
}

func (c *kindsCommand) Help() string {
	return `Examples:
  gwplan kinds                         a table of all
  gwplan kinds securitypolicy          what a kind attaches to, how it merges, and what is not followed
  gwplan kinds authpolicy -o yaml      the entry, to begin one of your own under kinds in .gwplan.yaml`
}

// Run prints the list, or the kinds of one name in full.
func (c *kindsCommand) Run(t terminal) error {
	known, sources, err := c.kinds()
	if err != nil {
		return err
	}
	hint := c.hint(known)
	known = slices.DeleteFunc(known, func(k *catalogue.Kind) bool {
		return c.Kind != "" && !strings.EqualFold(k.Name(), c.Kind) && !strings.EqualFold(k.String(), c.Kind) && !strings.EqualFold(k.ID, c.Kind)
	})
	networks := slices.DeleteFunc(network.Explained(), func(k *network.Kind) bool {
		if c.Kind == "" {
			return !k.IsPolicy()
		}
		return !strings.EqualFold(k.Name, c.Kind) && !strings.EqualFold(k.String(), c.Kind)
	})
	switch {
	case len(known)+len(networks) == 0 && len(tree.Discovered(c.Kind)) > 0:
		for _, id := range tree.Discovered(c.Kind) {
			fmt.Fprintf(t.stdout, "%s.%s (decides what is deployed where)\n\nIt is no policy. What is read of it, and what stays unknown, is in docs/input.md of this program.\n", id.Kind, id.Group)
		}
		return nil
	case len(known)+len(networks) == 0:
		return usageError(fmt.Sprintf("no kind %q in the catalogue or the configuration", c.Kind), hint)
	case c.Output == "yaml":
		return kinds.Entries(t.stdout, known)
	case c.Kind == "":
		return kinds.List(t.stdout, known, networks, t.width)
	}
	var text strings.Builder
	for i, k := range known {
		if i > 0 {
			fmt.Fprintln(&text)
		}
		if err := kinds.Explain(&text, k, sources); err != nil {
			return err
		}
	}
	for i, k := range networks {
		if i+len(known) > 0 {
			fmt.Fprintln(&text)
		}
		kinds.ExplainNetwork(&text, k)
	}
	_, err = io.WriteString(t.stdout, outline.WrapValues(text.String(), t.width))
	return err
}

// hint suggests what to do if no kind has the given name.
func (c *kindsCommand) hint(kinds []*catalogue.Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name()
	}
	for _, k := range network.Explained() {
		names = append(names, k.Name)
	}
	hint := "gwplan kinds lists them; kinds of CRDs in the repository are found when it is analysed"
	if near := spelling.Nearest(c.Kind, names); near != "" {
		return "did you mean " + near + "? " + hint
	}
	return hint
}

// kinds returns the kinds of the catalogue and of the configuration in the working directory, and
// what the abbreviations in their sources mean.
func (c *kindsCommand) kinds() (known []*catalogue.Kind, sources map[string]string, err error) {
	in := inputFlags{Directory: c.Directory, Config: c.Config, NoConfig: c.NoConfig}
	configured, err := in.localConfig()
	if err != nil {
		return nil, nil, err
	}
	s, err := prepare(configured, in, outputFlags{})
	if err != nil {
		return nil, nil, err
	}
	return catalogue.NewTable(s.options.Catalogue, s.options.Kinds).Kinds(), s.options.Catalogue.Sources, nil
}
