package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gwplan/gwplan/analyze/policy"
)

// kindsCommand explains policy kinds.
type kindsCommand struct {
	Kind      string `arg:"" optional:"" help:"KIND or KIND.GROUP, in any case; a list of all by default."`
	Directory string `short:"C" placeholder:"DIR" help:"Run as if started in DIR; the configuration there may add kinds."`
	Config    string `placeholder:"FILE" env:"GWPLAN_CONFIG" help:"Configuration to use instead of .gwplan.yaml."`
	NoConfig  bool   `help:"Use no configuration."`
}

// Run prints the list, or the kinds of one name in full.
func (c *kindsCommand) Run(t terminal) error {
	kinds, err := c.kinds()
	if err != nil {
		return err
	}
	if c.Kind == "" {
		return listKinds(t.stdout, kinds)
	}
	found := false
	for _, k := range kinds {
		if strings.EqualFold(k.Name(), c.Kind) || strings.EqualFold(k.String(), c.Kind) || strings.EqualFold(k.ID, c.Kind) {
			if found {
				fmt.Fprintln(t.stdout)
			}
			found = true
			explain(t.stdout, k)
		}
	}
	if !found {
		return usageError(fmt.Sprintf("no kind %q in the catalogue or the configuration", c.Kind),
			"gwplan kinds lists them; kinds of CRDs in the repository are found when it is analysed")
	}
	return nil
}

// kinds are those of the catalogue and of the configuration beside the caller.
func (c *kindsCommand) kinds() ([]*policy.Kind, error) {
	in := inputFlags{Directory: c.Directory, Config: c.Config, NoConfig: c.NoConfig}
	configured, err := in.localConfig()
	if err != nil {
		return nil, err
	}
	s, err := prepare(configured, in, outputFlags{})
	if err != nil {
		return nil, err
	}
	return policy.NewTable(s.options.Catalogue, s.options.Kinds).Kinds(), nil
}

func listKinds(out io.Writer, kinds []*policy.Kind) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KIND\tGROUP\tCLASS\tTARGETS\tMERGE\tVERIFIED")
	for _, k := range kinds {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", k.Name(), k.Group, k.Class(), targetKinds(k), mergeWord(k), k.Verified)
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
	word := string(k.LevelAlgorithm())
	if s := k.Merge.Levels.Select; s != nil {
		word += " by " + s.Field
	}
	return word
}

// explain prints what is known of a kind.
func explain(out io.Writer, k *policy.Kind) {
	fmt.Fprintf(out, "%s (%s, known from the %s)\n\n", k, k.Class(), k.Origin)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, text string) {
		if text != "" {
			fmt.Fprintf(w, "  %s\t%s\n", name, text)
		}
	}
	row("versions", strings.Join(k.Versions, ", "))
	row("since", k.Since)
	row("removed", k.Removed)
	row("targets", orAny(strings.Join(k.Target.Allowed, ", ")))
	row("by", references(k))
	row("namespace", k.Target.Namespace)
	row("levels", strings.Join(k.Levels, " < "))
	row("effective at", strings.Join(k.Effective, ", "))
	row("between levels", between(k))
	row("at one target", same(k))
	row("protects", protects(k))
	row("loser", k.Status["loser"])
	row("verified", k.Verified)
	_ = w.Flush() // fmt's error on out, if any, is the caller's pipe being closed
	for _, text := range []struct{ title, body string }{
		{"Departs from GEP-713", k.Departs}, {"Note", k.Note}, {"Source", strings.Join(k.Source, "; ")},
	} {
		if text.body != "" {
			fmt.Fprintf(out, "\n%s: %s\n", text.title, strings.TrimSpace(text.body))
		}
	}
}

func orAny(text string) string {
	if text == "" {
		return "any kind"
	}
	return text
}

func references(k *policy.Kind) string {
	var out []string
	for _, r := range k.Target.Refs {
		word := "spec." + r.Path
		if r.Deprecated {
			word += " (deprecated)"
		}
		out = append(out, word)
	}
	if k.Target.Via != "" {
		out = append(out, "the target's "+k.Target.Via)
	}
	return strings.Join(out, ", ")
}

func between(k *policy.Kind) string {
	text := string(k.LevelAlgorithm())
	if d := k.Merge.Levels.Direction; d != "" {
		text += ", " + d
	}
	if s := k.Merge.Levels.Select; s != nil {
		text += fmt.Sprintf("; chosen by %s of the %s policy", s.Field, strings.ReplaceAll(s.At, "-", " "))
	}
	switch k.Merge.Levels.Hops {
	case "closest":
		text += "; with the closest policy above alone"
	case "nil":
		text += "; levels do not meet"
	}
	return text
}

func same(k *policy.Kind) string {
	text := string(k.SameAlgorithm())
	switch k.Merge.Same.Tie {
	case "newest-target":
		text += "; the older acts as the less specific one"
	case "", "oldest":
		text += "; the older wins"
	default:
		text += "; " + k.Merge.Same.Tie
	}
	return text
}

func protects(k *policy.Kind) string {
	what := map[string]bool{}
	var out []string
	for _, p := range k.Protects {
		if !what[p.What] {
			what[p.What] = true
			out = append(out, p.What)
		}
	}
	return strings.Join(out, ", ")
}
