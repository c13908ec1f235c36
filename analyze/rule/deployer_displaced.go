package rule

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var deployerDisplaced = &Rule{
	ID:       "deployer-displaced",
	Title:    "A deployer that nothing in the tree applies is removed or changed, and its files stay",
	Severity: plan.Warning,
	Why: "Nothing in the tree applies this Kustomization of Flux or Application of Argo CD: a person or another repository does. The " +
		"edit of its manifest therefore reaches the cluster only if they follow it. Until then the cluster keeps the deployer as it was, and " +
		"it applies what the folder holds after this change. The plan shows its objects as removed, or as they are elsewhere; where the same " +
		"change edits their files, those edits may come into force and are not in the plan, which makes this an error.",
	Fix:     "Edit the files in one change, and remove the deployer in another, or name the environments in .gwplan.yaml.",
	Compare: compareDisplaced,
}

// displaced are the objects of one deployer that head no longer has from the files that declare them in base, although
// head may still have these files.
type displaced struct {
	root *loader.Deployer
	// n is the number of objects whose files are in head.
	n int
	// edited are their files that differ.
	edited []string
}

func compareDisplaced(p *Pair, report Report) {
	if p.Base == nil || p.Base.Run.Environment.By == loader.ByFolders {
		return
	}
	base, head := p.Revisions[0], p.Revisions[1]
	if base == nil || head == nil || base.Started == nil || base.Content == nil || head.Content == nil {
		return
	}
	had, has, found := objectsOf(p.Base), objectsOf(p.Head), map[loader.ID]*displaced{}
	var order []loader.ID
	for _, objectID := range slices.SortedFunc(maps.Keys(had), loader.ID.Compare) {
		before, after := had[objectID], has[objectID]
		root := before.Deployer.Root()
		if root == nil || !base.Started(root.At.File) || after != nil && slices.ContainsFunc(before.Files, func(file string) bool { return slices.Contains(after.Files, file) }) {
			continue
		}
		d := found[root.ID]
		if d == nil {
			d = &displaced{root: root}
			found[root.ID], order = d, append(order, root.ID)
		}
		files := sourcesOf(before)
		stays := slices.ContainsFunc(files, func(file string) bool { return head.Content(file) != "" })
		if stays {
			d.n++
		}
		for _, file := range files {
			if base.Content(file) != head.Content(file) && !slices.Contains(d.edited, file) {
				d.edited = append(d.edited, file)
			}
		}
	}
	for _, id := range order {
		d, now := found[id], head.Deployer(id)
		if file := d.root.At.File; d.n == 0 || now == nil && (base.Content(file) == head.Content(file) || declares(head, id)) {
			continue // in the second case it is still there, and gives nothing any more, or something that is not known
		}
		reportDisplaced(d, now, report)
	}
}

// declares reports whether a revision has a deployer, whatever it applies.
func declares(s *loader.Snapshot, id loader.ID) bool {
	return slices.ContainsFunc(s.Environments, func(env *loader.Environment) bool {
		return slices.ContainsFunc(env.Controls, func(c loader.Control) bool { return c.ID == id })
	})
}

// sourcesOf returns the files that give an object, without those of its deployers.
func sourcesOf(o *loader.Object) []string {
	out := slices.Clone(o.Files)
	for _, at := range slices.Concat(o.Listed, o.Inputs) {
		out = append(out, at.File)
	}
	return slices.DeleteFunc(out, func(file string) bool {
		for d := o.Deployer; d != nil; d = d.Parent {
			if d.At.File == file {
				return true
			}
		}
		return false
	})
}

// reportDisplaced reports what happened to a deployer; now is nil if head does not have it.
func reportDisplaced(d *displaced, now *loader.Deployer, report Report) {
	name := d.root.ID.Spoken()
	h := Hit{Target: d.root.ID.String(), At: d.root.At}
	switch {
	case now == nil:
		h.InBase = true
		h.Title = say("%s is removed from the tree, and nothing in the tree applied it: the cluster may keep it", name)
	case now.Content == d.root.Content || len(d.edited) == 0:
		return // the plan shows what it does now
	case now.Parent != nil:
		h.At = now.Root().At
		h.Title = say("%s, which nothing in the tree applied, is changed by %s: the cluster may keep it as it was", name, now.Root().ID.Spoken())
	default:
		h.At = now.At
		h.Title = say("%s changes, and nothing in the tree applies it: the cluster may keep it as it was", name)
	}
	h.Detail = say("%s that it applies may stay", spelling.Count(d.n, "object"))
	if len(d.edited) > 0 {
		h.Severity = plan.Error
		h.Detail = say("it then applies the edits of %s, which this plan does not show", d.edited[0]+spelling.More(len(d.edited)-1))
	}
	report(h)
}
