package unseen

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// controls finds objects that tell a deployer what to apply, of which a setting changes that is not followed.
func (s *search) controls(pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	before, after := byControlled(pair.Base), byControlled(pair.Head)
	broken := len(applied.BrokenFolders(pair.Name(), pair.Head, s.Base, s.Head)) > 0
	starved := applied.Starved(pair.Name(), pair.Base, pair.Head, s.Base, s.Head)
	lost := slices.DeleteFunc(applied.NewlyBroken(pair.Name(), s.Base, s.Head), func(p loader.Problem) bool { return !applied.Stale(p) })
	for _, c := range pair.Head.Controls {
		was, known := before[c.ID]
		if starved[c.ID] {
			continue // it stays as it was
		}
		if !known && c.ID.Group != "" {
			s.movedControl(pair, c, after)
			continue
		}
		// A folder that no kustomization is for is compared with one that Flux takes as it is.
		fields, at := changedSettings(was.Settings, c)
		if len(fields) == 1 && applied.Broken(lost, at) {
			continue // a finding reports it
		}
		if broken && s.Base.Content(c.At.File) == s.Head.Content(c.At.File) {
			// Whose chart it gives is not known while that build fails, and then its own address counts as a setting that is new.
			fields = slices.DeleteFunc(fields, func(f string) bool { return f == "url" || f == "ref" })
		}
		if len(fields) == 0 || slices.ContainsFunc(s.found, func(u plan.Unseen) bool { return u.What == c.What && slices.Contains(u.Environments, pair.Name()) }) {
			continue
		}
		if at == (loader.Position{}) {
			at = c.At
		}
		s.add(c.What, plan.EditChanged, pair.Name(), at, fields).Unfollowed = true
	}
}

// movedControl adds an object that is in another namespace than before: its deployer may not look there, and what it
// applied from the old one goes.
func (s *search) movedControl(pair applied.Pair, c loader.Control, after map[loader.ID]loader.Control) {
	moved := slices.ContainsFunc(pair.Base.Controls, func(was loader.Control) bool {
		_, stays := after[was.ID]
		return !stays && was.ID.Group == c.ID.Group && was.ID.Kind == c.ID.Kind && was.ID.Name == c.ID.Name
	})
	if moved {
		s.add(c.What, plan.EditChanged, pair.Name(), c.At, []string{"namespace"}).Unfollowed = true
	}
}

func byControlled(env *loader.Environment) map[loader.ID]loader.Control {
	out := map[loader.ID]loader.Control{}
	for _, c := range env.Controls {
		out[c.ID] = c
	}
	return out
}

// changedSettings returns the fields whose settings differ, and where the first of these is now. A variable that goes
// matters where something that is not read may use it.
func changedSettings(before []loader.Setting, now loader.Control) (fields []string, at loader.Position) {
	after := now.Settings
	type content struct {
		words  string
		digest [16]byte
	}
	of := func(list []loader.Setting) map[content]bool {
		out := make(map[content]bool, len(list))
		for _, s := range list {
			out[content{s.Words, s.Content}] = true
		}
		return out
	}
	was, is, seen := of(before), of(after), map[string]bool{}
	for _, list := range [][]loader.Setting{after, before} {
		for _, one := range list {
			key := content{one.Words, one.Content}
			if was[key] && is[key] || one.Variable != "" && (is[key] || !now.UsesVariable(one.Variable)) || seen[one.Words] {
				continue
			}
			seen[one.Words] = true
			if fields = append(fields, one.Words); len(fields) == 1 && is[key] {
				at = one.At
			}
		}
	}
	return fields, at
}
