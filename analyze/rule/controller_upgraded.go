package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/upgrade"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// ControllerUpgraded is the id of the rule that tells of releases of controllers.
const ControllerUpgraded = "controller-upgraded"

var controllerUpgraded = &Rule{
	ID:       ControllerUpgraded,
	Title:    "Another release of a controller treats an object differently",
	Severity: plan.Warning,
	Why: "A new release may read the same manifest differently: another default, a stricter validation, a feature that is off. " +
		"The breaking changes come from the release notes of the last year of Envoy Gateway, Istio and Gateway API; of other " +
		"controllers gwplan only reports that the minor release changes. " +
		"The release is known from the version of the chart, from the URL of the manifests, from the labels of what a chart " +
		"renders or from the CRDs; `gwplan diff --controller envoy-gateway=1.9` asks about a release beforehand.",
	Fix:     "Change the object as the release note says, before or with the upgrade.",
	Compare: compareReleases,
}

// ReleaseUnknown is the statement of a finding about a release of which it is not known what it changes.
const ReleaseUnknown = "what the release changes is not known"

// maxConcerned is the maximum number of objects that a finding shows besides the first.
const maxConcerned = 20

// transition is the way of a project from one release to another.
type transition struct {
	was, is upgrade.Installed
	asked   bool
}

func compareReleases(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil || p.Base.Run == p.Head.Run && !p.Head.Settings.AsksReleases() {
		return
	}
	before, after := upgrade.In(p.Base.Run.Environment), upgrade.In(p.Head.Run.Environment)
	api := releaseOf(after, "gateway-api").Version
	for _, project := range upgrade.All() {
		s := transition{was: releaseOf(before, project.Word), is: releaseOf(after, project.Word)}
		if s.was.Project == nil && s.is.Project == nil {
			configured := p.Head.Settings.Versions
			s.was, s.is = releaseOf(configured[0], project.Word), releaseOf(configured[1], project.Word)
		}
		if asked, ok := p.Head.Settings.Upgrades[project.Word]; ok {
			s.is = upgrade.Installed{Project: project, Text: asked.String(), Version: asked, At: cmp.Or(s.is.At, p.Head.start())}
			s.asked = true
		}
		if s.is.Project != nil && (s.was.Project != nil || s.asked) && s.was.Text != s.is.Text {
			compareRelease(p, project, s, api, report)
		}
	}
}

// start returns the place of the first object.
func (s *Environment) start() loader.Position {
	for _, o := range s.Run.Environment.Objects {
		if !o.Context {
			return o.First()
		}
	}
	return loader.Position{}
}

// AsksReleases reports whether the configuration or the caller names releases.
func (s *Settings) AsksReleases() bool {
	return len(s.Upgrades)+len(s.Versions[0])+len(s.Versions[1]) > 0
}

func releaseOf(list []upgrade.Installed, word string) upgrade.Installed {
	for _, i := range list {
		if i.Project.Word == word {
			return i
		}
	}
	return upgrade.Installed{}
}

// compareRelease reports each change between two releases at the objects that it concerns, and what
// is known about the others.
func compareRelease(p *Pair, project *upgrade.Project, s transition, api upgrade.Version, report Report) {
	goes := fmt.Sprintf("%s changes from %s to %s", project.Name, cmp.Or(s.was.Text, "an unknown release"), s.is.Text)
	note := Hit{Target: project.Name, Key: []string{s.was.Text, s.is.Text}, At: s.is.At, Severity: plan.Note}
	if s.is.Version == (upgrade.Version{}) || s.was.Version == (upgrade.Version{}) && !s.asked {
		note.Title, note.Statement = goes+": a range does not say which release runs, so what changes is unknown", ReleaseUnknown
		report(note)
		return
	}
	if s.was.Version == s.is.Version {
		return // breaking changes come with minor releases
	}
	if !project.IsRead() {
		note.Title, note.Statement = goes+", and what these releases change is not known", ReleaseUnknown
		report(note)
		return
	}
	changes, omitted := project.Between(s.was.Version, s.is.Version)
	concerned := 0
	for _, c := range changes {
		if objects := p.Head.concerned(project, &c, api); len(objects) > 0 {
			concerned++
			report(concerns(p, s, &c, objects))
		}
	}
	note.Title = goes + ": " + known(len(changes), concerned)
	switch unlisted := project.Unlisted(s.was.Version, s.is.Version); {
	case unlisted && len(changes) == 0:
		note.Title, note.Statement = goes+", and what these releases change is not known", ReleaseUnknown
	case unlisted:
		note.Title, note.Statement = note.Title+"; what the releases beside these change is not known", ReleaseUnknown
	case !s.asked && s.is.Version.Before(s.was.Version):
		note.Title, note.Statement = note.Title+"; what the older release does not have yet is not known", ReleaseUnknown
	}
	var more []string
	if len(omitted) > 0 {
		var texts []string
		for _, o := range omitted {
			texts = append(texts, o.Since.String()+": "+o.What)
		}
		more = append(more, "manifests do not show what these change: "+strings.Join(texts, "; "))
	}
	if project.Unlisted(s.was.Version, s.is.Version) {
		more = append(more, fmt.Sprintf("only the changes of %s to %s are known", project.First, project.Last))
	}
	note.Detail = strings.Join(more, "; ")
	report(note)
}

func known(changes, concerned int) string {
	switch {
	case changes == 0:
		return "no breaking change of these releases that manifests show is known"
	case changes == 1 && concerned == 0:
		return "the one breaking change that manifests show concerns no object here"
	case changes == 1:
		return "the one breaking change that manifests show concerns objects here"
	case concerned == 0:
		return fmt.Sprintf("none of the %d breaking changes that manifests show concerns an object here", changes)
	}
	return fmt.Sprintf("%d of the %d breaking changes that manifests show concern objects here", concerned, changes)
}

// concern is an object that a change concerns, and where.
type concern struct {
	object *loader.Object
	at     loader.Position
}

// concerned returns the objects that a change concerns.
func (s *Environment) concerned(project *upgrade.Project, c *upgrade.Change, api upgrade.Version) []concern {
	if c.Needs != (upgrade.Version{}) && !api.Before(c.Needs) {
		return nil
	}
	var out []concern
	for _, o := range s.Run.Environment.Objects {
		if o.Context {
			continue
		}
		if at := c.Concerns(o); at != nil && s.servedBy(o, project.Controllers) {
			out = append(out, concern{o, o.Position(at)})
		}
	}
	return out
}

// servedBy reports whether one of some controllers may serve an object: for a kind that several
// controllers serve, whether one of its Gateways has such a class, or a class that is unknown.
func (s *Environment) servedBy(o *loader.Object, controllers []string) bool {
	if len(controllers) == 0 || o.ID.Group != loader.GatewayGroup {
		return true
	}
	any, mine := false, false
	s.nodes(hierarchy.LevelGateway, func(n *hierarchy.Node) {
		name := s.Run.Graph.Controller(n)
		ok := name == "" || slices.Contains(controllers, name)
		any = any || ok
		mine = mine || ok && n.Object == o
	})
	for _, n := range s.Run.Graph.Nodes {
		if n.Object != o || n.Level != hierarchy.LevelRoute {
			continue
		}
		for _, e := range n.Up {
			name := s.Run.Graph.Controller(hierarchy.GatewayOf(e.Parent))
			mine = mine || name == "" || slices.Contains(controllers, name)
		}
		return mine
	}
	return mine || o.ID.Kind != "Gateway" && any
}

// concerns returns the finding about a change. It is at the line with the version if the edit is
// there, else at the first object.
func concerns(p *Pair, s transition, c *upgrade.Change, objects []concern) Hit {
	first := objects[0]
	effect := c.Effect
	if s.is.Version.Before(s.was.Version) {
		effect = c.Undone
	}
	subject := first.object.ID.Spoken() + spelling.More(len(objects)-1)
	h := Hit{
		Target: first.object.ID.String(), Key: []string{s.was.Text, s.is.Text, c.Effect}, At: first.at, Object: first.object,
		Severity: c.Severity,
		Title:    fmt.Sprintf("%s: %s", subject, effect),
		Detail:   fmt.Sprintf("%s %s, before %s; %s", s.is.Project.Name, s.is.Text, cmp.Or(s.was.Text, "an unknown release"), c.Source),
	}
	related := objects[1:]
	if !s.asked && p.Lines.Hunks != nil && p.Lines.edited(s.is.At) {
		h.At, related = s.is.At, objects
	}
	for _, o := range related[:min(len(related), maxConcerned)] {
		h.Related = append(h.Related, plan.Related{
			Message: o.object.ID.Spoken(), Side: plan.InHead, File: o.at.File, Line: o.at.Line, Column: o.at.Column,
		})
	}
	return h
}
