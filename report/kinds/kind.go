// Package kinds explains the kinds of policy that gwplan knows, for gwplan kinds.
package kinds

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
)

// Explain writes what is known of a policy kind: which targets it affects, how its policies merge, what happens to a
// policy that loses, and the sources of these facts. sources explains the abbreviations in the
// entry's sources.
func Explain(w io.Writer, k *catalogue.Kind, sources map[string]string) error {
	fmt.Fprintf(w, "%s (%s, known from the %s)\n\n", k, k.Class(), k.Origin)
	if err := writeTable(w, clauses(facts(k))); err != nil {
		return err
	}
	if len(k.Status) > 0 {
		fmt.Fprint(w, "\nWhat its controller writes\n")
		var rows [][2]string
		for _, what := range slices.Sorted(maps.Keys(k.Status)) {
			rows = append(rows, [2]string{what, k.Status[what]})
		}
		if err := writeTable(w, rows); err != nil {
			return err
		}
	}
	for _, text := range []struct{ title, body string }{{"Departs from GEP-713", k.Departs}, {"Note", k.Note}} {
		if text.body != "" {
			fmt.Fprintf(w, "\n%s: %s\n", text.title, strings.TrimSpace(text.body))
		}
	}
	writeList(w, "What its controller uses where nobody sets a value (gwplan effective --defaults)", controllerDefaults(k))
	writeList(w, "Not followed: what the controller does beyond what is computed here", k.NotFollowed)
	return writeSources(w, k, sources)
}

func writeTable(w io.Writer, rows [][2]string) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(table, "  %s\t%s\n", row[0], row[1])
	}
	return table.Flush()
}

// writeList writes lines below a title, or nothing if there are none.
func writeList(w io.Writer, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	for _, line := range lines {
		fmt.Fprintf(w, "  %s\n", line)
	}
}

// clauses gives each clause of a fact a row of its own, the name in the first one.
func clauses(facts [][2]string) (rows [][2]string) {
	for _, fact := range facts {
		name := fact[0]
		for clause := range strings.SplitSeq(fact[1], "; ") {
			if clause != "" {
				rows = append(rows, [2]string{name, clause})
			}
			name = ""
		}
	}
	return rows
}

// facts are what is known of a kind: a name and clauses, which are empty where there is nothing to say.
func facts(k *catalogue.Kind) [][2]string {
	return [][2]string{
		{"versions", strings.Join(k.Versions, ", ")},
		{"since", k.Since},
		{"deprecated", k.Deprecated},
		{"removed", k.Removed},
		{"targets", targets(k)},
		{"named by", namedBy(k)},
		{"namespaces", namespaces(k)},
		{"levels", cmp.Or(strings.Join(k.Levels, " < "), "all")},
		{"effective at", cmp.Or(strings.Join(k.Effective, ", "), "its declared targets")},
		{"between levels", betweenLevels(k)},
		{"policies at one target", atOneTarget(k)},
		{"kept side by side", sideBySidePaths(k)},
		{"after merging", k.Settling.Says},
		{"allowed for", only(k)},
		{"one field of", oneOf(k)},
		{"defaults", defaults(k)},
		{"gives way to", yields(k)},
		{"also reads", drawsFrom(k)},
		{"merged as one", strings.Join(k.Merge.Units, ", ")},
		{"precedence", strings.Join(k.Order, ", ")},
		{"protects", protects(k)},
		{"names of its own", ownNames(k)},
		{"not computed", programs(k)},
		{"checked", checkedHow(k)},
	}
}

// Checked returns how thoroughly the entry of a kind was checked, in a word.
func Checked(k *catalogue.Kind) string {
	if k.Origin == catalogue.FromConfig && k.Verified == "" {
		return "yours"
	}
	if k.Verified == "code" {
		return "code"
	}
	return "assumed"
}

func checkedHow(k *catalogue.Kind) string {
	if k.Origin == catalogue.FromConfig {
		return "it is your own entry"
	}
	switch k.Verified {
	case "code":
		return "yes: read in the controller's source"
	case "types":
		return "in part: read in the API's types; what the controller does with them is assumed"
	case "doc":
		return "in part: read in the documentation; what it leaves open is assumed"
	}
	return "no: assumed"
}

func targets(k *catalogue.Kind) string {
	byName := slices.ContainsFunc(k.Target.Refs, func(r catalogue.RefEntry) bool { return r.Form != "workload-selector" })
	if len(k.Target.Allowed) == 0 && len(k.Target.Refs) > 0 && !byName {
		return "none by name"
	}
	var out []string
	for _, text := range k.Target.Allowed {
		out = append(out, targetText(text))
	}
	text := cmp.Or(strings.Join(out, ", "), "any kind")
	if len(k.Target.Classes) > 0 {
		text += "; of GatewayClasses " + strings.Join(k.Target.Classes, ", ") + " alone"
	}
	for _, word := range k.Target.Reaches {
		text += "; on a Namespace it reaches each " + targetText(word) + " there"
	}
	if k.Target.Bound != "" {
		text += "; a backend by name only where it or its Namespace has the label " + k.Target.Bound
	}
	if k.Target.Opens != "" {
		text += ", and for requests from Gateways only with the label " + k.Target.Opens
	}
	if len(k.Target.Inert) > 0 {
		text += "; without effect on a listener of protocol " + strings.Join(k.Target.Inert, ", ")
	}
	return text
}

// targetText writes GROUP/KIND[:section] in words.
func targetText(text string) string {
	object, section, _ := strings.Cut(text, ":")
	object, _, byLabels := strings.Cut(object, "?")
	object, _, atRoot := strings.Cut(object, "@")
	group, kind, found := strings.Cut(object, "/")
	switch {
	case text == "*":
		return "any other kind"
	case found && strings.Contains(group, "."):
		kind += "." + group
	case !found:
		kind = object
	}
	for word, says := range map[string]string{"listener": " or a listener of it", "rule": " or a rule of it", "port": " or a port of it", "provider": " or a part of it"} {
		if section == word {
			kind += says
		}
	}
	if byLabels {
		kind += " by labels"
	}
	if atRoot {
		kind += " from the root namespace"
	}
	return kind
}

func namedBy(k *catalogue.Kind) string {
	var out []string
	for _, r := range k.Target.Refs {
		word := "spec." + r.Path
		switch r.Form {
		case "extension-ref":
			word = "an ExtensionRef filter of a route's rule"
		case "reverse-annotation":
			word = "the target's " + strings.ReplaceAll(r.Path, ":", " ")
		case "selectors":
			word += " (labels of targets)"
		case "workload-selector":
			word += " (labels of pods)"
		case "host":
			word += " (the host of a Service or ServiceEntry, or * and the end of many)"
		}
		if r.Deprecated {
			word += " (deprecated)"
		}
		out = append(out, word)
	}
	if k.Target.Via != "" {
		out = append(out, "the target's "+k.Target.Via)
	}
	if k.Target.None != "" {
		out = append(out, "or nothing: its whole Namespace")
	}
	return strings.Join(out, ", ")
}

func namespaces(k *catalogue.Kind) string {
	text := map[catalogue.Scope]string{
		catalogue.SameScope:     "the policy's own",
		catalogue.SameOrGranted: "the policy's own; selectors also others, with a ReferenceGrant",
		catalogue.InField:       "also others, with a ReferenceGrant",
		catalogue.AnyScope:      "any",
	}[cmp.Or(k.Target.Namespace, catalogue.SameScope)]
	if k.Target.Root != "" {
		text += "; from the root namespace, " + k.Target.Root + ", any"
		switch k.Target.RootReach {
		case catalogue.ReachOwn:
			text += ", but by labels only its own namespace"
		case catalogue.ReachNone:
			text += ", but nothing by labels"
		default:
		}
	}
	return text
}

func algorithmText(a merge.Algorithm) string {
	return map[merge.Algorithm]string{
		merge.None:            "one policy counts, others are rejected",
		merge.Atomic:          "the whole spec of one policy counts",
		merge.Top:             "each top-level field is taken whole",
		merge.LeafWise:        "field by field, lists whole",
		merge.SMP:             "field by field, keyed lists item by item",
		merge.Units:           "each unit is taken whole",
		merge.Named:           "each named rule is taken whole",
		merge.Collect:         "all apply, in order",
		merge.UnionOrReject:   "all policies are merged; a policy that sets a field again is rejected",
		merge.DefaultOverride: "field by field: overrides from above, then defaults from below",
		merge.FromLevels:      "as between levels",
	}[a]
}

func betweenLevels(k *catalogue.Kind) string {
	levels := k.Merge.Levels
	if levels.Hops == catalogue.NoHops {
		return "policies of different levels are not merged"
	}
	text := algorithmText(k.LevelAlgorithm)
	if k.LevelAlgorithm == merge.Collect {
		if levels.Hops == catalogue.ObjectHops {
			text += "; nothing passes from one object to another"
		}
		return text
	}
	switch levels.Direction {
	case catalogue.Defaults:
		text += "; the more specific policy wins"
	case catalogue.Overrides:
		text += "; the less specific policy wins"
	case catalogue.FromBody:
		text += "; of defaults the more specific wins, of overrides the less specific"
	case catalogue.FromMode:
		text += "; " + levels.Mode.Field + " of the less specific policy says who wins: " + choices(levels.Mode.Values)
	}
	switch levels.Hops {
	case catalogue.ClosestHop:
		text += "; only the closest policy above takes part"
	case catalogue.ObjectHops:
		text += "; nothing passes from one object to another"
	default:
	}
	fixed := !slices.ContainsFunc(k.Spec.Bodies, func(b catalogue.Body) bool { return !strings.HasPrefix(b.Strategy, "=") })
	if s := levels.Select; s != nil && (!fixed || len(k.Spec.Bodies) == 0) {
		values := map[string]string{}
		for value, a := range s.Values {
			values[value] = algorithmText(merge.Algorithm(a))
		}
		text += fmt.Sprintf("; %s of the %s policy chooses: %s", s.Field, strings.ReplaceAll(s.At, "-", " "), choices(values))
	}
	return text
}

// choices writes the values of a field and what each means.
func choices[W ~string](values map[string]W) string {
	var out []string
	for _, value := range slices.Sorted(maps.Keys(values)) {
		out = append(out, cmp.Or(value, "unset")+" = "+string(values[value]))
	}
	return strings.Join(out, ", ")
}

func atOneTarget(k *catalogue.Kind) string {
	text := algorithmText(k.SameAlgorithm)
	if k.Merge.Same.Tie == catalogue.Undefined && k.SameAlgorithm == merge.None {
		return "one policy takes effect, and which one is not defined; none is rejected"
	}
	switch tie := k.Merge.Same.Tie; {
	case k.SameAlgorithm == merge.Collect && tie != catalogue.Undefined:
	case tie == catalogue.NewestTarget:
		text += "; the older acts as the less specific one"
	case tie == "", tie == catalogue.Oldest:
		text += "; the older wins"
	case tie == catalogue.Ordered:
		text += "; the first in order wins"
	case tie == catalogue.Undefined:
		text += "; it is not defined which policy wins"
	}
	if first := k.Merge.Same.First; len(first) > 0 {
		text += "; at " + strings.Join(first, ", ") + " the first alone counts"
	}
	if k.Merge.Same.RejectScope == "policy" {
		text += "; a policy that loses is rejected at all its targets"
	}
	return text
}

// only lists the fields that are allowed for some targets only.
func only(k *catalogue.Kind) string {
	var out []string
	for _, o := range k.Spec.Only {
		text := o.Field + " for whole objects"
		if !o.Whole {
			text = o.Field + " for " + strings.Join(o.Kinds, ", ")
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// sideBySidePaths lists the paths at which policies on a route and above it both count.
func sideBySidePaths(k *catalogue.Kind) string {
	var out []string
	for _, b := range k.Merge.Levels.Beside {
		path := b.Path
		if b.By != "" {
			path += " by " + b.By
		}
		out = append(out, path)
	}
	if len(out) == 0 {
		return ""
	}
	text := "policies of the route and of its parents both apply: " + strings.Join(out, ", ")
	if finer := k.Merge.Levels.Finer; len(finer) > 0 {
		text += "; separate merge units there: " + strings.Join(finer, ", ")
	}
	return text
}

func oneOf(k *catalogue.Kind) string {
	var out []string
	for _, group := range k.Merge.OneOf {
		out = append(out, strings.Join(group, " or "))
	}
	return strings.Join(out, ", ")
}

func yields(k *catalogue.Kind) string {
	var out []string
	for _, y := range k.Merge.Yields {
		to := "any " + y.To + " of the same target"
		switch {
		case len(y.Own) > 0:
			to = strings.Join(y.Own, " or ") + " of the target itself"
			if y.Unless != "" {
				to += " without " + y.Unless
			}
		case y.Filter != "":
			to = "a filter " + strings.ReplaceAll(y.Filter, "/", " with ") + " of the target"
		}
		out = append(out, y.Path+" to "+to)
	}
	return strings.Join(out, ", ")
}

// controllerDefaults lists what the controller uses for fields that nobody sets.
func controllerDefaults(k *catalogue.Kind) []string {
	out := make([]string, 0, len(k.ControllerDefaults))
	for _, d := range k.ControllerDefaults {
		text := fmt.Sprintf("%s %v", d.Path, d.Value)
		for _, limit := range [][]string{d.Kinds, d.Protocols} {
			if len(limit) > 0 {
				text += " (" + strings.Join(limit, ", ") + ")"
			}
		}
		if d.In != "" {
			text += " where " + d.In + " is set"
		}
		out = append(out, text+": "+d.Source)
	}
	return out
}

// defaults lists the CRD defaults that a policy gets if it is merged field by field.
func defaults(k *catalogue.Kind) string {
	var out []string
	for _, path := range slices.Sorted(maps.Keys(k.Spec.Defaults)) {
		out = append(out, fmt.Sprintf("%s %v", path, k.Spec.Defaults[path]))
	}
	if len(out) == 0 {
		return ""
	}
	return "where it is merged, those of the CRD:; " + strings.Join(out, "; ")
}

// drawsFrom lists the objects that complete the settings of policies, and the fields in which
// policies reference them.
func drawsFrom(k *catalogue.Kind) string {
	var kinds []string
	places := map[string][]string{}
	for _, d := range k.Draws {
		for _, word := range d.Kinds {
			_, kind, _ := strings.Cut(word, "/")
			if places[kind] == nil {
				kinds = append(kinds, kind)
			}
			places[kind] = append(places[kind], d.Path)
		}
	}
	for i, kind := range kinds {
		kinds[i] += " at " + strings.Join(places[kind], ", ")
	}
	return strings.Join(kinds, "; ")
}

func protects(k *catalogue.Kind) string {
	var out []string
	all := slices.Clone(k.Protects)
	for _, d := range k.Draws {
		all = append(all, d.Protects...)
	}
	for _, p := range all {
		if !slices.Contains(out, p.What) {
			out = append(out, p.What)
		}
	}
	return strings.Join(out, ", ")
}

// programs lists the fields whose effect on requests is not computed.
func programs(k *catalogue.Kind) string {
	var out []string
	for _, p := range k.Programs {
		out = append(out, fmt.Sprintf("what %s does (%s)", p.Is, p.Path))
	}
	return strings.Join(out, "; ")
}

// ownNames lists the fields that name entries of the same policy, and what happens without the entry.
func ownNames(k *catalogue.Kind) string {
	var out []string
	for _, n := range k.Names {
		out = append(out, fmt.Sprintf("%s in %s names one of %s: without it, %s", n.Field, n.In, n.Of, n.Then))
	}
	return strings.Join(out, "; ")
}

// writeSources lists the sources of the entry and explains their abbreviations.
func writeSources(w io.Writer, k *catalogue.Kind, sources map[string]string) error {
	if len(k.Source) == 0 {
		return nil
	}
	fmt.Fprint(w, "\nSource\n")
	var named []string
	for _, place := range k.Source {
		fmt.Fprintf(w, "  %s\n", place)
		if tag, _, _ := strings.Cut(place, " "); sources[tag] != "" && !slices.Contains(named, tag) {
			named = append(named, tag)
		}
	}
	for _, tag := range named {
		if _, err := fmt.Fprintf(w, "  %s is %s\n", tag, sources[tag]); err != nil {
			return err
		}
	}
	return nil
}
