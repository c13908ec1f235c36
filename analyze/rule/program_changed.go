package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/internal/spelling"
)

var programChanged = &Rule{
	ID:       "program-changed",
	Title:    "A program or a patch that may refuse requests is added, edited or removed",
	Severity: plan.Warning,
	Why: "A Lua program, a Wasm module, an external processor, a snippet or a patch of the proxy's configuration may do anything " +
		"with a request. What it does is not computed. One that was edited or removed may have been what refused requests " +
		"(warnings); a new one may let requests in that were refused (notes).",
	Fix:      "Read what the program does with requests before and after the change.",
	Security: true,
	Compare:  comparePrograms,
}

// programChanges are the ways in which a program differs.
var programChanges = []struct {
	key      string
	severity plan.Severity
	is       func(effective.ProgramChange) bool
	// one and many are the titles for one target and for several.
	one, many, what, detail string
}{
	{
		"edited", plan.Warning, func(c effective.ProgramChange) bool { return c.Was != nil && c.Is != nil },
		"has", "have", "%s edited", "what it does is not computed, and it may refuse fewer requests",
	},
	{
		"gone", plan.Warning, goneProgram,
		"loses", "lose", "%s", "what it did is not computed, and it may have refused requests",
	},
	{
		"new", plan.Note, func(c effective.ProgramChange) bool { return c.Was == nil },
		"gains", "gain", "%s", "what it does is not computed, and it may let in requests that were refused",
	},
}

func goneProgram(c effective.ProgramChange) bool { return c.Is == nil }

func comparePrograms(p *Pair, report Report) {
	for _, form := range programChanges {
		p.byEdit(sentence.Another, func(c *change.Compared) fieldWords {
			return programsSaid(p, c, form.is)
		}, func(h Hit, what fieldWords, c *change.Compared) {
			h.Key = append(h.Key, form.key)
			h.Severity = form.severity
			h.Title = predicate(h, form.one, form.many, c) + " " + fmt.Sprintf(form.what, what.words)
			h.Detail = form.detail
			report(h)
		})
	}
}

// programsSaid names the programs of a change that differ in one way. It leaves out programs that refuse no requests,
// and those that protection-lost reports.
func programsSaid(p *Pair, c *change.Compared, is func(effective.ProgramChange) bool) fieldWords {
	k, before, after := c.Effective()
	if k == nil || len(k.Programs) == 0 || staysBehind(c) {
		return fieldWords{}
	}
	changes, _ := effective.ProgramChanges(before.Programs(), after.Programs())
	lost := shift(p, c)
	told := slices.Concat(lost.Lost, lost.Lowered, lost.Weakened, lost.LetIn, lost.Replaced, lost.Edited)
	var out fieldWords
	var words []string
	for _, one := range changes {
		program := one.Is
		if program == nil {
			program = one.Was
		}
		path := "/" + strings.Join(program.Place, "/")
		if !is(one) || one.Rewrites() || slices.ContainsFunc(told, func(f protection.Field) bool { return leadsTo(path, f.Path) }) {
			continue
		}
		out.paths = append(out.paths, path)
		if !slices.Contains(words, program.Is) {
			words = append(words, program.Is)
		}
	}
	out.words = spelling.And(words)
	return out
}

// leadsTo reports whether a path is another one or leads to it.
func leadsTo(path, other string) bool { return other == path || strings.HasPrefix(other, path+"/") }
