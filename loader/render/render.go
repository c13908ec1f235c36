// Package render turns trees into snapshots. It determines which units are deployed to which
// environment, from Flux and Argo CD, from the configuration or from the folders alone. It also
// sets the schema defaults and the namespace of every object. Deploying, building and installing are
// in separate packages.
//
// Everything in a tree is untrusted. Nothing is fetched, no program is started, and nothing is read
// outside the trees and the folders that the caller provides. What cannot be rendered becomes a
// problem and a gap, and the rest is still processed.
package render

import (
	"context"
	"runtime"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/account"
	"github.com/gwplan/gwplan/loader/apply"
	"github.com/gwplan/gwplan/loader/argocd"
	"github.com/gwplan/gwplan/loader/cache"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/flux"
	"github.com/gwplan/gwplan/loader/kustomize"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/release"
	"github.com/gwplan/gwplan/loader/schema"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/loader/tree"
)

// DefaultMaxObjects is the number of objects that one environment may hold.
const DefaultMaxObjects = 500_000

// EnvironmentConfig names an environment and its content. A path is a folder, a kustomization
// folder, a chart or a file; globs with ** are allowed. The entry folder of a Flux cluster means
// everything that Flux applies from there.
type EnvironmentConfig struct {
	Name  string
	Paths []string
	// ArgoCD is a destination of Applications, instead of paths.
	ArgoCD string
}

// Options define how trees are rendered. The zero value discovers environments
// and fills in no defaults.
type Options struct {
	// Manifest selects which documents matter and holds the limits.
	Manifest manifest.Options
	// Schemas fill in defaults; CRDs of an environment are added to them. Nil fills in none.
	Schemas *schema.Set
	// Admission means that the objects of the last tree are validated as an API server does.
	Admission bool
	// Environments replace discovery.
	Environments []EnvironmentConfig
	// Context are trees of objects that are deployed elsewhere. They are part of every environment
	// as context; an object of the environment itself takes precedence.
	Context []*source.Tree
	// ClusterScoped reports which kinds have no namespace. CRDs of the environment take precedence.
	ClusterScoped func(group, kind string) bool
	// Namespaced reports which kinds certainly have a namespace. Nil knows of none.
	Namespaced func(group, kind string) bool
	// Workload reports which kinds are workloads or select them; their objects are the Workloads of an
	// environment. Nil means none.
	Workload func(group, kind string) bool
	// Charts is the caller's own folder of charts, or nil.
	Charts *chart.Directory
	// Cache keeps the results of builds between runs, or is nil. CacheKey identifies what else the
	// results depend on: the version of the program and the kinds that matter.
	Cache    *cache.Cache
	CacheKey string
	// Account is what the run may cost, or nil.
	Account *account.Account
	// MaxObjects is the limit of objects in one environment; beyond it the run fails. 0 means
	// DefaultMaxObjects.
	MaxObjects int
	// Workers is how many files are decoded in parallel; 0 means GOMAXPROCS. The number never
	// changes the result.
	Workers int

	// companions means that Companion documents are needed whatever the files mention.
	companions bool
	// referred are kinds whose Undecided documents are needed, whatever the files refer to.
	referred []tree.ReferredKind
}

// Snapshots renders the trees, one snapshot each. The split into environments is decided over all
// of them. Equal files are decoded once, and builds with equal inputs run once.
//
// Where something that Companion documents belong to, or that refers to an undecided kind, appears only in
// what is rendered, such as a chart in an archive, everything is rendered again with these documents.
func Snapshots(ctx context.Context, trees []*source.Tree, opts Options) ([]*loader.Snapshot, error) {
	s := newSession(ctx, opts)
	out, err := s.snapshots(ctx, trees)
	if err != nil {
		return nil, err
	}
	companions, referred := !s.store.Companions() && s.mentioned(out), s.referred(out)
	if !companions && len(referred) == 0 {
		return out, nil
	}
	opts.companions = opts.companions || companions
	opts.referred = append(s.store.Referred(), referred...)
	return newSession(ctx, opts).snapshots(ctx, trees)
}

// referred returns the undecided kinds to which rendered objects alone refer.
func (s *session) referred(snapshots []*loader.Snapshot) []tree.ReferredKind {
	var out []tree.ReferredKind
	for _, one := range snapshots {
		for _, e := range one.Environments {
			for _, o := range e.Objects {
				out = append(out, s.store.ReferredBy(o.ID.Group, o.ID.Kind, o.Root)...)
			}
		}
	}
	return out
}

// mentioned reports whether some rendered object makes Companion documents needed.
func (s *session) mentioned(snapshots []*loader.Snapshot) bool {
	mentions := s.opts.Manifest.Mentions
	return mentions != nil && slices.ContainsFunc(snapshots, func(one *loader.Snapshot) bool {
		return slices.ContainsFunc(one.Environments, func(e *loader.Environment) bool {
			return slices.ContainsFunc(e.Workloads, func(o *loader.Object) bool { return mentions([]byte(o.ID.Kind)) })
		})
	})
}

func (s *session) snapshots(ctx context.Context, trees []*source.Tree) ([]*loader.Snapshot, error) {
	opts := s.opts
	reading := opts.Account.Phase("read")
	views, err := tree.Views(ctx, trees)
	if err != nil {
		return nil, err
	}
	s.views = views
	elsewhere, err := tree.Views(ctx, opts.Context)
	if err != nil {
		return nil, err
	}
	if err := s.store.Read(views, elsewhere...); err != nil {
		return nil, err
	}
	if err := s.store.Want(slices.Concat(views, elsewhere)); err != nil {
		return nil, err
	}
	reading()
	defer opts.Account.Phase("render")()
	layouts, err := s.layouts(views)
	if err != nil {
		return nil, err
	}
	extra, err := s.contextObjects(elsewhere)
	if err != nil {
		return nil, err
	}
	out := make([]*loader.Snapshot, len(views))
	for i, v := range views {
		if out[i], err = s.snapshot(v, layouts[i], extra); err != nil {
			return nil, err
		}
	}
	s.admit(out)
	return out, nil
}

// session is what the trees of one call share: caches that are keyed by content alone.
type session struct {
	ctx     context.Context
	opts    Options
	views   []*tree.View
	store   *tree.Store
	builds  *kustomize.Builder
	finish  *finisher
	charts  *release.Charts
	applier *apply.Applier
	flux    *flux.Reader
	argocd  *argocd.Reader
	// completed are the environments so far by name, again those that share the objects of one of an earlier
	// tree because they declare the same.
	completed map[string]completed
	again     map[*loader.Environment]*loader.Environment
	// clusters are the managed clusters of the first tree that has them.
	clusters map[clusterOf]viewed
	// hubs are those of the first tree, by environment.
	hubs map[string]viewedHub
}

func newSession(ctx context.Context, opts Options) *session {
	if opts.MaxObjects <= 0 {
		opts.MaxObjects = DefaultMaxObjects
	}
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	if opts.Workload == nil {
		opts.Workload = func(_, _ string) bool { return false }
	}
	if opts.Namespaced == nil {
		opts.Namespaced = func(_, _ string) bool { return false }
	}
	if opts.ClusterScoped == nil {
		opts.ClusterScoped = func(_, _ string) bool { return false }
	}
	st := tree.NewStore(ctx, tree.Options{Manifest: opts.Manifest, Cache: opts.Cache, CacheKey: opts.CacheKey, Workers: opts.Workers, Account: opts.Account, Companions: opts.companions, Referred: opts.referred})
	ch := release.NewCharts(st, opts.Charts)
	builds := kustomize.NewBuilder(st, ch)
	ap := apply.NewApplier(st, builds, ch)
	return &session{ctx: ctx, opts: opts, store: st, charts: ch, builds: builds, applier: ap, finish: newFinisher(opts), flux: flux.NewReader(st, builds, ch, ap), argocd: argocd.NewReader(st, ch, ap), completed: map[string]completed{}, again: map[*loader.Environment]*loader.Environment{}, clusters: map[clusterOf]viewed{}, hubs: map[string]viewedHub{}}
}
