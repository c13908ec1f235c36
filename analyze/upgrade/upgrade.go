// Package upgrade describes what newer releases of controllers, and of Gateway API itself, change
// for the objects of a repository. It is data from the projects' release notes, with one file for
// each project, and the code that finds the objects which a change concerns.
package upgrade

import (
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Project is a controller, or Gateway API itself, with the changes of its releases.
type Project struct {
	// Name is how texts call it, Word how --controller does.
	Name, Word string
	// Charts are the names of the Helm charts that install it. Their versions are its versions.
	Charts []string
	// Repository is its repository on GitHub, OWNER/NAME: the URLs of its manifests contain the
	// release. Bundle is true for Gateway API, whose CRDs say their release.
	Repository string
	Bundle     bool
	// Images are the images that run it, without their registry.
	Images []string
	// Controllers are the controllerNames of its GatewayClasses. A change of a kind that other
	// controllers serve, too, concerns only objects at Gateways of these; nil means any.
	Controllers []string
	// First and Last are the first and the last minor release whose changes are listed.
	First, Last Version
	Changes     []Change
	// Omitted are the breaking changes of these releases that manifests do not decide.
	Omitted []Omission
}

// Change is one breaking change of a release.
type Change struct {
	// Since is the first minor release that has it.
	Since Version
	// Kinds are the kinds that it can concern, as GROUP/KIND.
	Kinds []string
	// Cases are the fields that it concerns: an object is concerned if all conditions of one case
	// hold. No case means every object of the kinds.
	Cases []Case
	// Needs is the release of Gateway API with which nothing changes, zero if there is none.
	Needs Version
	// Effect says what the new release does with the object, in a clause whose subject is the
	// object's field, or "it". Undone says what going back to an older release does.
	Effect, Undone string
	Severity       plan.Severity
	// Source is the release note, as PROJECT PATH.
	Source string
}

// Omission is a breaking change that is not in Changes.
type Omission struct {
	Since Version
	What  string
}

// Case is a list of conditions that all hold.
type Case []Where

// Where is a condition on an object.
type Where struct {
	// Path is dotted and starts at the object; * is any key or list item, {A,B} either key. Without
	// further fields, the condition holds if the path has a value that is not null.
	Path string
	// Is are texts of which the value must be one; Contains are texts of which a text at or below
	// the value must contain one. Empty wants an empty value, Missing none.
	Is, Contains   []string
	Empty, Missing bool
	// All are conditions on the value itself; their paths start there.
	All []Where
}

// read are the projects of whose releases some changes are known.
var read = []*Project{&envoyGateway, &istio, &gatewayAPI}

var all = sync.OnceValue(func() []*Project { return slices.Concat(read, unread) })

// All returns the projects, first those that Read returns.
func All() []*Project { return all() }

// Read returns the projects of whose releases some changes are known.
func Read() []*Project { return read }

// ByWord returns the project that --controller calls by a word, or nil.
func ByWord(word string) *Project {
	for _, p := range Read() {
		if p.Word == word {
			return p
		}
	}
	return nil
}

// ByName returns the project of a name, or nil.
func ByName(name string) *Project {
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// ByImage returns the project that an image without its tag runs, or nil.
func ByImage(name string) *Project {
	for _, p := range All() {
		if slices.ContainsFunc(p.Images, func(own string) bool { return name == own || strings.HasSuffix(name, "/"+own) }) {
			return p
		}
	}
	return nil
}

// Between returns the changes that lie between two releases, in either direction, and those of
// which manifests say nothing. An unknown old release counts as older than all.
func (p *Project) Between(was, is Version) (changes []Change, omitted []Omission) {
	if is.Before(was) {
		was, is = is, was
	}
	within := func(v Version) bool { return was.Before(v) && !is.Before(v) }
	for _, c := range p.Changes {
		if within(c.Since) {
			changes = append(changes, c)
		}
	}
	for _, o := range p.Omitted {
		if within(o.Since) {
			omitted = append(omitted, o)
		}
	}
	return changes, omitted
}

// Unlisted reports whether releases lie between two of which the changes are not listed.
func (p *Project) Unlisted(was, is Version) bool {
	if is.Before(was) {
		was, is = is, was
	}
	return p.Last.Before(is) || was != (Version{}) && was.Before(Version{p.First.Major, p.First.Minor - 1})
}

// Concerns returns the values of an object that a change concerns: the object itself if it concerns
// the whole of it, nil if it does not concern it.
func (c *Change) Concerns(o *loader.Object) *loader.Value {
	if !slices.Contains(c.Kinds, o.ID.Group+"/"+o.ID.Kind) {
		return nil
	}
	if len(c.Cases) == 0 {
		return o.Root
	}
	for _, one := range c.Cases {
		if at := one.match(o.Root); at != nil {
			return at
		}
	}
	return nil
}

// match returns the value that satisfies the first condition of a case if all of them hold, or nil.
func (c Case) match(root *loader.Value) *loader.Value {
	var first *loader.Value
	for i, w := range c {
		at := w.match(root)
		if at == nil {
			return nil
		}
		if i == 0 {
			first = at
		}
	}
	return first
}

// match returns a value that satisfies the condition; for a missing one, the value that lacks it.
func (w Where) match(root *loader.Value) *loader.Value {
	found := find(root, steps(w.Path))
	if w.Missing {
		if len(found) > 0 {
			return nil
		}
		return root
	}
	for _, v := range found {
		if w.holds(v) {
			return v
		}
	}
	return nil
}

func (w Where) holds(v *loader.Value) bool {
	return (w.Is == nil || slices.Contains(w.Is, v.Text)) &&
		(w.Contains == nil || contains(v, w.Contains)) &&
		(!w.Empty || v.IsEmpty()) &&
		!slices.ContainsFunc(w.All, func(one Where) bool { return one.match(v) == nil })
}

// contains reports whether a text or key at or below a value contains one of some words.
func contains(v *loader.Value, words []string) bool {
	has := func(text string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
	return v.Shape == loader.String && has(v.Text) ||
		slices.ContainsFunc(v.FieldList(), func(f loader.Field) bool { return has(f.Key) || contains(f.Value, words) }) ||
		slices.ContainsFunc(v.ItemList(), func(item *loader.Value) bool { return contains(item, words) })
}

func steps(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, ".")
}

// find returns the values at a path that are not null. What the schema of this release fills in was
// not written, and another release may fill in something else.
func find(v *loader.Value, path []string) []*loader.Value {
	if v.IsNull() || v.Defaulted {
		return nil
	}
	if len(path) == 0 {
		return []*loader.Value{v}
	}
	var out []*loader.Value
	for _, item := range v.ItemList() {
		if path[0] == "*" {
			out = append(out, find(item, path[1:])...)
		}
	}
	for _, f := range v.FieldList() {
		if matches(path[0], f.Key) {
			out = append(out, find(f.Value, path[1:])...)
		}
	}
	return out
}

// matches reports whether a step of a path means a key.
func matches(step, key string) bool {
	if inner, ok := strings.CutPrefix(step, "{"); ok {
		return slices.Contains(strings.Split(strings.TrimSuffix(inner, "}"), ","), key)
	}
	return step == "*" || step == key
}
