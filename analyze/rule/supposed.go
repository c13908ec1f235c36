package rule

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Untraced is an object that base declares and head does not, and which something that is not rendered may hold: it is not
// known whether it is gone.
type Untraced struct {
	ID loader.ID
	// Holder names what may hold it: "HelmRelease shop/app (app.yaml:1)".
	Holder string
	// Comes is true if the holder comes with the change, Changes if it changes and has the object's name: then the object
	// perhaps moved there.
	Comes, Changes bool
}

// Why says why it is not known whether the object is gone.
func (u *Untraced) Why() string {
	switch {
	case u.Comes:
		return "perhaps it moved to " + u.Holder + ", which is new and not rendered"
	case u.Changes:
		return "perhaps it moved to " + u.Holder + ", which changes and is not rendered"
	}
	return u.Holder + ", which is not rendered, may hold an object of this name"
}

func (u *Untraced) moved() bool { return u.Comes || u.Changes }

// About returns the untraced objects that something depends on, or all of them if it depends on none: what a ReferenceGrant
// permits does not depend on it by name.
func About(list []Untraced, depends func(loader.ID) bool) []Untraced {
	out := slices.DeleteFunc(slices.Clone(list), func(u Untraced) bool { return !depends(u.ID) })
	if len(out) == 0 {
		return list
	}
	return out
}

// Supposed returns the findings that head has only if the untraced objects are gone, which supposed takes for granted. They
// are warnings, or notes if the objects perhaps moved; found are the other findings of the pair. It also returns the objects
// that they are about.
func Supposed(p *Pair, found []plan.Finding, supposed *Environment, list []Untraced) (out []plan.Finding, blamed []Untraced) {
	told := map[string]plan.Severity{}
	for _, f := range found {
		told[f.Fingerprint] = f.Severity
	}
	supposed.inHead, supposed.before, supposed.former = p.Head.inHead, true, p.Head.former // what is silenced says nothing
	for _, f := range CheckAll(supposed) {
		about := About(list, func(id loader.ID) bool { return slices.Contains(supposed.about[f.Fingerprint], id) })
		severity := plan.Warning
		if !slices.ContainsFunc(about, func(u Untraced) bool { return !u.moved() }) {
			severity = plan.Note
		}
		if f.Severity.Rank() < severity.Rank() {
			f.Severity = severity
		}
		if known, is := told[f.Fingerprint]; is && known.Rank() <= f.Severity.Rank() {
			continue
		}
		f.State = plan.New
		f.Title = perhaps(f.Target, f.Title, about)
		f.Detail, f.Message = about[0].Why(), f.Title+"; "+about[0].Why()
		f.Subject, f.Several, f.Statement = "", false, ""
		if p.Head.involved == nil {
			p.Head.involved = map[string][]loader.ID{}
		}
		for _, u := range about {
			p.Head.involved[f.Fingerprint] = append(p.Head.involved[f.Fingerprint], u.ID)
			if !slices.Contains(blamed, u) {
				blamed = append(blamed, u)
			}
		}
		p.toChange(&f)
		out = append(out, f)
	}
	return out, blamed
}

// perhaps says that a sentence about an object is perhaps true.
func perhaps(target, title string, about []Untraced) string {
	for _, u := range about {
		if strings.HasSuffix(title, u.ID.Spoken()) {
			title += ", which is removed"
			break
		}
	}
	subject := loader.Spoken(target)
	rest, found := strings.CutPrefix(title, subject)
	switch {
	case !found:
		return "perhaps " + title
	case strings.HasPrefix(rest, ": "):
		return subject + ": perhaps " + rest[2:]
	case strings.HasPrefix(rest, " is "), strings.HasPrefix(rest, " has "):
		verb, what, _ := strings.Cut(rest[1:], " ")
		return subject + " " + verb + " perhaps " + what
	case strings.HasPrefix(rest, " "):
		return subject + " perhaps" + rest
	}
	return "perhaps " + title
}

// WithSupposed replaces findings by those that say more of the same, and adds the others.
func WithSupposed(found, supposed []plan.Finding) []plan.Finding {
	again := map[string]bool{}
	for _, f := range supposed {
		again[f.Fingerprint] = true
	}
	return sorted(append(slices.DeleteFunc(found, func(f plan.Finding) bool { return again[f.Fingerprint] }), supposed...))
}
