package analyze

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/loader"
)

// Filter narrows what is shown, never what is read.
type Filter struct {
	Environments []string
	Namespace    string
	// Paths are files or folders. A change is kept if one of its causes or sources is in one of
	// them.
	Paths []string
}

// all reports whether the filter leaves out nothing.
func (f Filter) all() bool { return len(f.Environments)+len(f.Paths) == 0 && f.Namespace == "" }

func (f Filter) environment(name string) bool {
	return len(f.Environments) == 0 || slices.Contains(f.Environments, name)
}

// node reports whether a node is in the requested namespace. Cluster-scoped nodes always are.
func (f Filter) node(node string) bool {
	if f.Namespace == "" {
		return true
	}
	parts := strings.Split(strings.SplitN(node, "#", 2)[0], "/")
	return len(parts) != 3 || parts[1] == f.Namespace
}

func (f Filter) path(file string) bool {
	if len(f.Paths) == 0 {
		return true
	}
	return slices.ContainsFunc(f.Paths, func(p string) bool { return MatchPath(p, file) })
}

// MatchPath reports whether a file is the path of a pattern, is below it, or matches it as a glob.
func MatchPath(pattern, file string) bool {
	pattern = path.Clean(pattern)
	if loader.Within(pattern, file) {
		return true
	}
	ok, err := doublestar.Match(pattern, file)
	return err == nil && ok
}

func (f Filter) causes(causes []plan.Cause) bool {
	return len(f.Paths) == 0 || slices.ContainsFunc(causes, func(c plan.Cause) bool { return f.path(c.File) })
}

// change returns a change with only the requested targets. It is false if the change is filtered
// out.
func (f Filter) change(c change.Compared) (change.Compared, bool) {
	if f.Namespace != "" {
		c.Targets = slices.DeleteFunc(slices.Clone(c.Targets), func(t plan.Target) bool {
			return t.Target.Namespace != "" && t.Target.Namespace != f.Namespace
		})
	}
	if len(c.Targets) == 0 {
		return c, false
	}
	return c, f.causes(c.Causes) || slices.ContainsFunc(c.Fields, f.field)
}

func (f Filter) field(field plan.Field) bool {
	return field.BeforeSource != nil && f.path(field.BeforeSource.File) ||
		field.AfterSource != nil && f.path(field.AfterSource.File)
}

func (f Filter) finding(finding plan.Finding) bool {
	return f.node(finding.Target) && f.path(finding.File)
}

// concerned reports whether a finding is about something that is shown, although it stands elsewhere: a removed file has its
// finding at the line that listed it, a policy of a Gateway protects routes of other namespaces.
func (f Filter) concerned(p *rule.Pair, finding *plan.Finding) bool {
	shows := func(c change.Compared) bool {
		_, shown := f.change(c)
		return shown
	}
	return !f.all() && rule.Concerns(p, finding, shows, func(file string) bool { return len(f.Paths) > 0 && f.path(file) && f.node(finding.Target) })
}

// request reports whether the filter keeps a class: by the namespace and the file of one of its rules.
func (f Filter) request(r *plan.RequestChange) bool {
	return slices.ContainsFunc([]*plan.RequestRule{r.Before, r.After}, func(rule *plan.RequestRule) bool {
		return rule != nil && f.node(rule.Rule) && f.path(rule.File)
	})
}
