package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/afford"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/analyze/unseen"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/account"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/config"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/render"
	"github.com/gwplan/gwplan/loader/schema"
	"github.com/gwplan/gwplan/loader/source"
)

// configName is the path of the configuration, at the root of a tree.
const configName = ".gwplan.yaml"

// settings are a configuration, prepared for the analysis.
type settings struct {
	config  *config.Config
	options analyze.Options
	// account is that of the run, once its trees are rendered.
	account *account.Account
}

// analysing begins to measure an analysis, and returns what ends it.
func (s *settings) analysing() (done func()) {
	end := s.account.Phase("analyse")
	return func() {
		end()
		for counter, n := range map[account.Counter]int{
			account.EnvironmentsAnalysed: s.options.Work.Analysed, account.EnvironmentsReused: s.options.Work.Reused,
			account.EnvironmentsRecalled: s.options.Work.Recalled,
			account.ObjectsAnalysed:      s.options.Work.Objects, account.States: s.options.Work.States,
		} {
			s.account.Count(counter, n)
		}
	}
}

// prepare converts a configuration into the options of the analysis.
func prepare(c *config.Config, in inputFlags, out outputFlags) (settings, error) {
	known, err := catalogue.Builtin()
	if err != nil {
		return settings{}, err
	}
	if c == nil {
		c = &config.Config{}
	}
	if known, err = known.WithRoots(c.Roots); err != nil {
		return settings{}, usageError(c.File+": "+err.Error(), "see gwplan kinds")
	}
	s := settings{config: c, options: analyze.Options{
		Version: version(), Catalogue: known, Complete: in.Complete || c.Complete,
		NamespaceLabels: c.Namespaces, Controllers: c.Controllers, Ages: c.Ages, External: map[loader.ID]bool{}, Filter: out.filter(),
	}}
	for _, id := range c.External {
		s.options.External[id] = true
	}
	for _, raw := range c.Kinds {
		entry, err := known.Entry(raw)
		if err != nil {
			return s, usageError(c.File+": kinds: "+err.Error(), "see gwplan config schema")
		}
		s.options.Kinds = append(s.options.Kinds, entry)
	}
	if err := knownRules(c); err != nil {
		return s, err
	}
	s.options.Rules = ruleSettings(c)
	s.options.Rules.Owners = c.Owners
	return s, nil
}

// knownRules rejects rule ids that no rule has: an ignore with a typo would silence nothing.
func knownRules(c *config.Config) error {
	unknown := func(id string, at loader.Position) error {
		return usageError(fmt.Sprintf("%s: there is no rule %q", at, id), "gwplan rules lists them")
	}
	for _, id := range slices.Sorted(maps.Keys(c.Rules)) {
		if rule.ByID(id) == nil {
			return unknown(id, c.Position("rules", id))
		}
	}
	for _, i := range c.Ignore {
		if i.Rule != "*" && rule.ByID(i.Rule) == nil {
			return unknown(i.Rule, i.Position)
		}
	}
	return nil
}

func ruleSettings(c *config.Config) rule.Settings {
	out := rule.Settings{Severity: map[string]plan.Severity{}, Now: time.Now()}
	for id, severity := range c.Rules {
		out.Severity[id] = plan.Severity(severity)
	}
	for _, i := range c.Ignore {
		out.Ignore = append(out.Ignore, rule.Ignore{Rule: i.Rule, Target: i.Target, Reason: i.Reason, At: i.Position, Expired: i.Expired(out.Now)})
	}
	return out
}

// render makes snapshots of trees.
func (s *settings) render(ctx context.Context, t terminal, in inputFlags, trees ...*source.Tree) ([]*loader.Snapshot, error) {
	extra, err := openContext(ctx, in)
	if err != nil {
		return nil, err
	}
	defer closeAll(extra)
	var charts *chart.Directory
	if in.HelmCache != "" {
		if charts, err = chart.OpenDirectory(in.path(in.HelmCache)); err != nil {
			return nil, usageError("--helm-cache: "+err.Error(), "name a folder that can be read")
		}
		defer func() { _ = charts.Close() }() // opened read-only: closing loses nothing
	}
	kept, err := openCache(t, in)
	if err != nil {
		return nil, err
	}
	defer func() { _ = kept.Close() }() // every entry is already written completely
	needs := analyze.Needs(s.options.Catalogue, s.options.Kinds)
	options := render.Options{
		Manifest: manifest.Options{
			ParseAll: in.ParseAll,
			Relevance: func(group, kind string) manifest.Relevance {
				need := needs(group, kind)
				if need == analyze.Companion && in.workloads || need != analyze.Needed && schema.MeantKind(group, kind) != "" {
					return manifest.Needed
				}
				return relevance[need]
			},
			Mentions: analyze.MentionsNetwork,
			Refers:   analyze.Refers,
			Rewires:  unseen.Rewires,
		},
		Workload: analyze.OfNetwork,
		Schemas:  schema.Builtin(), Admission: s.options.Rules.Severity[rule.Admission] != plan.Off, Context: extra, ClusterScoped: s.clusterScoped(), Namespaced: s.namespaced(), Charts: charts,
		Cache: kept, CacheKey: s.cacheKey(in.workloads), Account: in.account(ctx, t),
	}
	s.account, s.options.Work = options.Account, &analyze.Work{}
	s.options.Parts = &afford.Parts{Begin: options.Account.Begin, BeginWhole: options.Account.BeginWhole}
	for _, e := range s.config.Environments {
		options.Environments = append(options.Environments, render.EnvironmentConfig{Name: e.Name, Paths: e.Paths, ArgoCD: e.ArgoCD})
	}
	return render.Snapshots(ctx, trees, options)
}

var relevance = map[analyze.Need]manifest.Relevance{
	analyze.Needed: manifest.Needed, analyze.NotNeeded: manifest.Irrelevant, analyze.Undecided: manifest.Undecided,
	analyze.Companion: manifest.Companion,
}

// clusterScoped returns a function that reports whether a kind of the hierarchy or the catalogue is
// cluster-scoped.
func (s *settings) clusterScoped() func(group, kind string) bool {
	scopes := s.scopes()
	return func(group, kind string) bool {
		if _, cluster := network.Selects(group, kind); cluster {
			return true
		}
		return hierarchy.ClusterScoped(group, kind) || unseen.ClusterScoped(group, kind) || group == "apiextensions.k8s.io" || scopes[groupKind{group, kind}] == "Cluster"
	}
}

// namespaced returns a function that reports whether objects of a kind of the hierarchy or the catalogue have a namespace.
func (s *settings) namespaced() func(group, kind string) bool {
	scopes := s.scopes()
	return func(group, kind string) bool {
		selects, cluster := network.Selects(group, kind)
		return selects && !cluster || hierarchy.Namespaced(group, kind) || scopes[groupKind{group, kind}] == "Namespaced"
	}
}

type groupKind struct{ group, kind string }

// scopes returns the scopes of the kinds of the catalogue.
func (s *settings) scopes() map[groupKind]string {
	scopes := map[groupKind]string{}
	for _, entries := range [][]catalogue.Entry{s.options.Catalogue.Entries, s.options.Kinds} {
		for _, e := range slices.Backward(entries) { // the first entry of a kind counts
			scopes[groupKind{e.Group, e.Kind}] = e.Scope
		}
	}
	return scopes
}

func openContext(ctx context.Context, in inputFlags) ([]*source.Tree, error) {
	var out []*source.Tree
	for _, dir := range in.Context {
		tree, err := source.OpenDirectory(ctx, in.path(dir), in.limits())
		if err != nil {
			return nil, err
		}
		out = append(out, tree)
	}
	return out, nil
}

// path makes a path of the command line relative to -C.
func (f *inputFlags) path(name string) string {
	if f.Directory == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(f.Directory, name)
}

func closeAll(trees []*source.Tree) {
	for _, t := range trees {
		_ = t.Blobs.Close() // opened read-only: closing loses nothing
	}
}

// treeConfig reads the configuration of a tree, nil if it has none.
func treeConfig(t *source.Tree) (*config.Config, error) {
	i := slices.IndexFunc(t.Entries, func(e source.Entry) bool { return e.Path == configName })
	if i < 0 {
		return nil, nil
	}
	var out *config.Config
	var wrong error
	err := t.Blobs.Each([]string{t.Entries[i].ID}, func(_ string, data []byte, missing *loader.Problem) {
		if missing != nil {
			wrong = fmt.Errorf("%s: %s; %s", configName, missing.Message, missing.Hint)
			return
		}
		out, wrong = config.Parse(configName, slices.Clone(data))
	})
	if err != nil {
		return nil, err
	}
	return out, wrong
}

// givenConfig reads --config.
func (f *inputFlags) givenConfig() (*config.Config, error) {
	data, err := os.ReadFile(f.path(f.Config))
	if err != nil {
		return nil, usageError("--config: "+err.Error(), "name a file that can be read")
	}
	return config.Parse(f.Config, data)
}

// localConfig reads the configuration in the working directory, for commands that read no tree.
func (f *inputFlags) localConfig() (*config.Config, error) {
	switch {
	case f.Config != "":
		return f.givenConfig()
	case f.NoConfig:
		return nil, nil
	}
	data, err := os.ReadFile(f.path(configName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, usageError(err.Error(), "")
	}
	return config.Parse(configName, data)
}

// oneConfig reads the configuration for a command that reads one tree.
func (f *inputFlags) oneConfig(t *source.Tree) (*config.Config, error) {
	switch {
	case f.Config != "":
		return f.givenConfig()
	case f.NoConfig:
		return nil, nil
	}
	return treeConfig(t)
}

// pairConfig returns base's configuration as c, which the diff uses, and head's as after, for what
// it would silence after the merge. If base has none yet, c has head's environments and kinds, but
// nothing that lets a change silence its own findings.
func (f *inputFlags) pairConfig(base, head *source.Tree) (c, after *config.Config, notes []string, err error) {
	switch {
	case f.Config != "":
		c, err = f.givenConfig()
		return c, nil, nil, err
	case f.NoConfig:
		return nil, nil, nil, nil
	}
	c, broken := treeConfig(base)
	if after, err = treeConfig(head); err == nil && after != nil {
		err = knownRules(after)
	}
	switch {
	case broken != nil && (err != nil || entryID(base) == entryID(head)):
		return nil, nil, nil, broken
	case broken != nil:
		return nil, after, []string{fmt.Sprintf("%s of base cannot be read, so none is used; head's holds from the merge on: %v", configName, broken)}, nil
	case c == nil && err != nil:
		return nil, config.Unreadable(configName, err), []string{fmt.Sprintf("%s of head cannot be read and is not used: %v", configName, err)}, nil
	case c == nil && after == nil:
		return nil, nil, nil, nil
	case c == nil:
		return nil, after, []string{
			configName + " is new in head: it is used from the merge on, not for this diff (--config " + configName + " uses it now)",
		}, nil
	case err != nil:
		return c, config.Unreadable(configName, err), []string{fmt.Sprintf("%s of base is used; head's cannot be read: %v", configName, err)}, nil
	case after == nil:
		return c, c.Deleted(), []string{configName + " is deleted in head; base's is used"}, nil
	case entryID(base) != entryID(head):
		return c, after, []string{configName + " differs in head; base's is used"}, nil
	}
	return c, nil, nil, nil
}

// silence records what head's configuration silences and base's does not: entries of ignore that
// are new or had expired, severities that are lower, and facts that differ.
func silence(out *rule.Settings, before, after *config.Config) {
	if after == nil {
		return
	}
	if why := after.Broken(); why != nil {
		out.Altered = append(out.Altered, rule.Altered{
			Key: "unreadable", At: after.Position(), Severity: plan.Error, Message: fmt.Sprintf("head's configuration cannot be used: after the merge every run will fail: %v", why),
		})
		return
	}
	if before == nil {
		before = &config.Config{}
	} else {
		for _, c := range config.Changed(before, after) {
			out.Altered = append(out.Altered, rule.Altered{
				Key: c.Section, At: c.At, InBase: c.InBase,
				Message: fmt.Sprintf("head %s %s of the configuration: after the merge, findings and plans follow the new value", c.Verb, c.Section),
			})
		}
	}
	base, head := *out, ruleSettings(after)
	for _, i := range head.Ignore {
		known := slices.ContainsFunc(base.Ignore, func(j rule.Ignore) bool {
			return i.Rule == j.Rule && i.Target == j.Target && (i.Expired || !j.Expired)
		})
		if !known && !i.Expired {
			out.Added = append(out.Added, i)
		}
	}
	for _, of := range rule.All() {
		from, to := cmp.Or(base.Severity[of.ID], of.Severity), cmp.Or(head.Severity[of.ID], of.Severity)
		if !to.AtLeast(from) {
			l := rule.Lowered{Rule: of.ID, From: from, To: to, At: after.Position("rules", of.ID)}
			if after.IsAbsent() {
				l.At, l.InBase = before.Position("rules", of.ID), true
			}
			out.Lowered = append(out.Lowered, l)
		}
	}
}

func entryID(t *source.Tree) string {
	for _, e := range t.Entries {
		if e.Path == configName {
			return e.ID
		}
	}
	return ""
}
