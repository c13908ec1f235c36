package sentence

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/internal/spelling"
)

// group is the targets of an effect with the same details.
type group struct {
	effect       effect
	targets      []*target
	details      []detail
	environments map[string]bool
	kept         map[*change.Compared]bool
	guards       bool
}

func newGroup(e effect) *group {
	return &group{effect: e, environments: map[string]bool{}, kept: map[*change.Compared]bool{}}
}

// inEnvironments splits a group by environments if its sentence names environments, because it would say that each
// target is in all of them.
func (g *group) inEnvironments() []*group {
	if len(g.environments) > maxEnvironments {
		return []*group{g}
	}
	of := map[string]*group{}
	for _, t := range g.targets {
		key := strings.Join(slices.Sorted(maps.Keys(t.environments)), "\x00")
		if of[key] == nil {
			of[key] = newGroup(g.effect)
		}
		of[key].add(t)
	}
	return slices.Collect(maps.Values(of))
}

func (g *group) add(t *target) {
	if len(g.targets) == 0 {
		g.details = slices.Clone(t.details)
	}
	g.targets = append(g.targets, t)
	g.guards = g.guards || t.guards
	maps.Copy(g.environments, t.environments)
	maps.Copy(g.kept, t.kept)
	for i := range g.details {
		if g.details[i].values != t.details[i].values {
			g.details[i].values = ""
		}
	}
}

// compare sorts those that lose protection first, then what is certain, what is in the input, and
// what concerns the most targets.
func (g *group) compare(other *group) int {
	a, b := g.targets[0], other.targets[0]
	for _, differ := range [][2]bool{{g.guards, other.guards}, {a.certain, b.certain}, {b.away, a.away}} {
		if differ[0] != differ[1] {
			if differ[0] {
				return -1
			}
			return 1
		}
	}
	return cmp.Or(cmp.Compare(len(other.targets), len(g.targets)), cmp.Compare(fmt.Sprint(g.details), fmt.Sprint(other.details)),
		cmp.Compare(len(other.environments), len(g.environments)), strings.Compare(a.name, b.name))
}

// The ranks of sentences beside those of protection by its weight: what can certainly not be reached comes after what everybody can
// reach, and before limits and what is perhaps less protected.
const (
	rankLost    = catalogue.WeightOfLimits
	rankPerhaps = rankLost + 1 + catalogue.WeightOfOthers
	rankCalm    = rankPerhaps + 1
)

// rank orders sentences, worst first.
func (g *group) rank() int {
	switch {
	case g.effect == removed || g.effect == detached:
		return rankLost
	case g.effect == opens && g.targets[0].certain:
		return 0
	case !g.effect.exposes():
		return rankCalm + int(g.effect)
	case !g.targets[0].certain:
		return rankPerhaps
	}
	least := catalogue.WeightOfOthers
	for _, d := range g.details {
		least = min(least, catalogue.WeightAt(d.kind, d.path))
	}
	if least < catalogue.WeightOfLimits {
		return least
	}
	return least + 1
}

func (g *group) say(table *catalogue.Table) string {
	what, forms := strings.TrimSpace(g.what(table)), verbs[g.effect]
	if skipped := ObjectOf(what).Skipped; skipped != "" && (g.effect == lowers || g.effect == weakens) {
		// That it is true now, and was false, is what the verb says.
		what, _, _ = strings.Cut(skipped, " from ")
		forms = [3]string{"skip", "skips", "skip"}
	}
	verb := forms[0]
	if len(g.targets) == 1 {
		verb = forms[1]
	}
	if !g.targets[0].certain {
		verb = "may " + forms[2]
	}
	out := g.subject() + " " + verb
	if what != "" {
		out += " " + what
	}
	if n := g.keeping(); n > 0 && g.effect != changes {
		out += fmt.Sprintf("; %d %s own policy", n, plural(n, "keeps its", "keep their"))
	}
	return out
}

// keeping counts the targets that the same edits reach and that keep their values.
func (g *group) keeping() int {
	targets := map[[3]string]bool{}
	for c := range g.kept {
		for _, t := range c.Kept {
			targets[[3]string{t.Kind, t.Namespace, t.Name}] = true
		}
	}
	return len(targets)
}

// maxDetails is how many settings a sentence names.
const maxDetails = 3

// what names the settings.
func (g *group) what(table *catalogue.Table) string {
	var words []string
	settings := topmost(g.details)
	backends := len(settings) == 1 && settings[0].path == backendRefs
	slices.SortStableFunc(settings, func(a, b detail) int {
		return cmp.Compare(catalogue.WeightAt(a.kind, a.path), catalogue.WeightAt(b.kind, b.path))
	})
	for _, d := range settings {
		text := d.words
		if text == "" {
			text = table.ItemWords(d.kind, d.item, d.path)
		}
		text = ObjectOf(text).of(len(g.targets))
		if len(g.details) == 1 || backends {
			text += d.values
		}
		if !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	words = slices.DeleteFunc(words, func(text string) bool { // "authorization" says it of one of its parts, too
		whole, _, isPart := strings.Cut(text, " (")
		return isPart && slices.Contains(words, whole)
	})
	if more := len(words) - maxDetails; more > 0 {
		words = append(words[:maxDetails], spelling.Count(more, "more setting"))
	}
	return spelling.And(words)
}

// topmost drops the settings that are inside others of a sorted list.
func topmost(details []detail) []detail {
	var out []detail
	for _, d := range details {
		inside := func(above detail) bool {
			return above.kind == d.kind && above.item == d.item && strings.HasPrefix(d.path, above.path+".")
		}
		if !slices.ContainsFunc(out, inside) {
			out = append(out, d)
		}
	}
	return out
}

// maxNames is how many targets a sentence names; more are counted.
const maxNames = 2

// subject names or counts the targets: "HTTPRoute shop/cart", "HTTPRoutes shop/cart and shop/pay", "4
// HTTPRoutes of shop", "3 HTTPRoutes and 1 GRPCRoute".
func (g *group) subject() string {
	kinds, namespaces := map[string]int{}, map[string]bool{}
	for _, t := range g.targets {
		kinds[t.kind]++
		namespaces[t.namespace] = true
	}
	elsewhere := ""
	if g.targets[0].away {
		elsewhere = " that " + plural(len(g.targets), "is", "are") + " not in the input"
	}
	first := g.targets[0]
	switch {
	case len(g.targets) == 1 && first.away:
		return first.spoken() + ", which is not in the input,"
	case len(g.targets) == 1:
		return first.spoken()
	case len(g.targets) <= maxNames && len(kinds) == 1 && strings.HasPrefix(first.name, first.kind+" ") && !first.away:
		var names []string
		for _, t := range g.targets {
			names = append(names, strings.TrimPrefix(t.spoken(), t.kind+" "))
		}
		counted := spelling.Count(len(names), first.kind)
		_, word, _ := strings.Cut(counted, " ")
		return word + " " + spelling.And(names)
	}
	var who []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		who = append(who, spelling.Count(kinds[kind], kind))
	}
	out := spelling.And(who)
	if len(namespaces) == 1 && first.namespace != "" {
		out += " of " + first.namespace
	}
	return out + elsewhere
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
