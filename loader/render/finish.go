package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
	"github.com/gwplan/gwplan/loader/tree"
)

// finisher turns declared objects into those of an environment: it sets the namespace, schema
// defaults and the digest. The result for a document is reused in every environment and tree with
// the same schemas.
type finisher struct {
	opts Options
	mu   sync.Mutex
	sets map[string]*schema.Set
	memo map[finishKey]finished
	// schemas are those that apply to an environment.
	schemas map[*loader.Environment]*schema.Set
}

type finishKey struct {
	root *loader.Value
	set  *schema.Set
	id   loader.ID
}

type finished struct {
	root   *loader.Value
	digest [16]byte
	// bare means that the defaults of the schema were too many to add.
	bare bool
}

// maxDefaults is how many values the defaults of a schema may add to one object.
const maxDefaults = 20_000

func newFinisher(opts Options) *finisher {
	return &finisher{
		opts: opts, sets: map[string]*schema.Set{}, memo: map[finishKey]finished{}, schemas: map[*loader.Environment]*schema.Set{},
	}
}

// kinds is what the CRDs of an environment define.
type kinds struct {
	set    *schema.Set
	scopes map[string]string
}

// kinds reads the CRDs among the objects.
func (f *finisher) kinds(objects []deploy.Object) kinds {
	k := kinds{set: f.opts.Schemas, scopes: map[string]string{}}
	var crds []*loader.Value
	var key strings.Builder
	for _, d := range objects {
		if d.Group != tree.CrdGroup || d.Kind != tree.CrdKind {
			continue
		}
		crds = append(crds, d.Root)
		k.scopes[d.Root.Str("spec", "group")+"/"+d.Root.Str("spec", "names", "kind")] = d.Root.Str("spec", "scope")
		digest := loader.Digest(loader.ID{Name: d.Name}, d.Root)
		key.Write(digest[:])
	}
	if k.set == nil || len(crds) == 0 {
		return k
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	set := f.sets[key.String()]
	if set == nil {
		set = k.set.With(crds)
		f.sets[key.String()] = set
	}
	k.set = set
	return k
}

// clusterScoped reports whether a kind has no namespace.
func (f *finisher) clusterScoped(k kinds, d deploy.Object) bool {
	if scope := k.scopes[d.Group+"/"+d.Kind]; scope != "" {
		return scope == "Cluster"
	}
	return f.opts.ClusterScoped(d.Group, d.Kind)
}

// object finishes one object. bare means that its schema adds too many defaults, and that it has
// none of them.
func (f *finisher) object(d deploy.Object, k kinds) (o *loader.Object, bare bool) {
	o = d.AsObject()
	switch {
	case f.clusterScoped(k, d):
		o.ID.Namespace = ""
	case o.ID.Namespace == "":
		o.ID.Namespace, o.NamespaceAssumed = deploy.DefaultNamespace, true
	}
	key := finishKey{root: d.Root, set: k.set, id: o.ID}
	f.mu.Lock()
	defer f.mu.Unlock()
	done, ok := f.memo[key]
	if !ok {
		root := d.Root
		if deploy.IsSecret(d.Group, d.Kind) {
			root = deploy.WithoutSecrets(root)
		}
		whole := true
		if k.set != nil {
			root, whole = k.set.ApplyWithin(maxDefaults, d.Group, d.Version, d.Kind, root)
		}
		done = finished{root: root, digest: loader.Digest(o.ID, root), bare: !whole}
		f.memo[key] = done
	}
	o.Root, o.Digest = done.root, done.digest
	return o, done.bare
}

// environment finishes the objects of one environment, in apply order.
func (f *finisher) environment(e *loader.Environment, objects, context []deploy.Object) ([]loader.Problem, error) {
	k := f.kinds(slices.Concat(context, objects))
	f.schemas[e] = k.set
	if n := len(objects) + len(context); n > f.opts.MaxObjects {
		return nil, fmt.Errorf("the environment %q holds %d objects, over the limit of %d; list fewer paths for it in .gwplan.yaml", e.Name, n, f.opts.MaxObjects)
	}
	var bare, unnamed, unplaced []loader.Problem
	last := make(map[loader.ID]*loader.Object, len(objects))
	for i, d := range slices.Concat(context, objects) {
		if d.Name == "" || !f.staysInEnvironment(d) {
			continue
		}
		workload := f.opts.Workload(d.Group, d.Kind)
		o, without := f.object(d, k)
		o.Context = i < len(context)
		if without {
			c := deploy.Complain(loader.LimitDefaults, fmt.Sprintf("the schema of %s adds more than %d default values; the object is read without them", deploy.Quote(d.Kind), maxDefaults), "split the object, or correct the CRD")
			bare = append(bare, c.Problem(o.First()))
		}
		if o.NamespaceAssumed && !o.Context && f.refuses(k, d) {
			unplaced = append(unplaced, withoutNamespace(d).Problem(o.First()))
			e.Unplaced = append(e.Unplaced, loader.Unplaced{At: o.First(), By: d.Deployer.ID})
			continue
		}
		before := last[o.ID]
		again := before != nil && !before.Context && !same(before, o)
		if again && !workload && f.compared(d) {
			unnamed = append(unnamed, twice(e, before, o)...)
		}
		if !again || !open(o.ID) {
			last[o.ID] = o
		}
	}
	for _, o := range last {
		if f.opts.Workload(o.ID.Group, o.ID.Kind) {
			e.Workloads = append(e.Workloads, o)
		} else {
			e.Objects = append(e.Objects, o)
		}
	}
	for _, list := range [][]*loader.Object{e.Objects, e.Workloads} {
		slices.SortFunc(list, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	}
	for i := range e.Duplicates {
		e.Duplicates[i].Kept = last[e.Duplicates[i].Dropped.ID]
	}
	slices.SortStableFunc(e.Duplicates, func(a, b loader.Duplicate) int {
		return cmp.Or(a.Dropped.ID.Compare(b.Dropped.ID), a.Dropped.First().Compare(b.Dropped.First()))
	})
	return slices.Concat(
		deploy.Summarised(bare, "%d objects are read without the default values of their schemas"),
		deploy.Summarised(unnamed, "the names of %d objects contain variables without a known value"),
		deploy.Summarised(unplaced, "Flux refuses %d objects, which have no namespace"),
	), nil
}

// refuses reports whether Flux refuses an object because it has no namespace and its Kustomization sets none (fluxcd/pkg
// ssa/errors/errors.go, DryRunErr.Error).
func (f *finisher) refuses(k kinds, d deploy.Object) bool {
	if d.Deployer == nil || d.Deployer.ID.Kind != "Kustomization" || d.Deployer.ID.Group != tree.FluxGroup {
		return false
	}
	scope := k.scopes[d.Group+"/"+d.Kind]
	return scope == "Namespaced" || scope == "" && f.opts.Namespaced(d.Group, d.Kind)
}

func withoutNamespace(d deploy.Object) deploy.Complaint {
	return deploy.Complain(
		loader.NoNamespace, fmt.Sprintf("Flux refuses %s, which has no namespace", deploy.Quote(d.Kind+" "+d.Name)),
		"write metadata.namespace, or targetNamespace in the Kustomization; Flux applies nothing of it until then",
	)
}

// twice records that an identity is declared again.
func twice(e *loader.Environment, before, o *loader.Object) []loader.Problem {
	if open(o.ID) {
		e.Gaps = append(e.Gaps, unnamed(o))
		return []loader.Problem{unresolvedName(o)}
	}
	e.Duplicates = append(e.Duplicates, loader.Duplicate{Kept: o, Dropped: before})
	return nil
}

// open reports whether an identity is unknown because its variables are not filled in.
func open(id loader.ID) bool { return tree.Unresolved(id.Name) || tree.Unresolved(id.Namespace) }

// unnamed returns the gap for an object whose name is not known. Two of them may be two objects or
// one, so neither replaces the other.
func unnamed(o *loader.Object) loader.Gap {
	gap := loader.Gap{Name: deploy.Clip(o.ID.String()), Position: o.First(), Content: o.Digest}
	if !tree.Unresolved(o.ID.Namespace) {
		gap.Namespace = o.ID.Namespace
	}
	return gap
}

func unresolvedName(o *loader.Object) loader.Problem {
	return loader.Problem{
		Severity: loader.Note, Code: "unresolved-name", Position: o.First(),
		Message: fmt.Sprintf("%s is left out: another object has the same name while its variables are not filled in", deploy.Quote(o.ID.String())),
		Hint:    "write the name out, or give the rendered objects as a folder",
	}
}

// compared reports whether it matters that an object is declared twice. It does for Gateway API
// objects, policies, Services and Namespaces. It does not for objects that produce others, because
// a second declaration adds nothing.
func (f *finisher) compared(d deploy.Object) bool {
	switch d.Group {
	case "":
		return d.Kind == "Service" || d.Kind == "Namespace"
	case tree.CrdGroup, tree.HelmGroup, "cert-manager.io", "external-secrets.io", "bitnami.com":
		return false
	}
	return !tree.Discovers(d.Group, d.Kind)
}

// same reports whether two objects are one declaration that reaches an environment in two ways.
func same(a, b *loader.Object) bool {
	return a.Digest == b.Digest && a.First() == b.First()
}

// staysInEnvironment reports whether an object stays in the environment. It drops kinds that were read only for
// discovery.
func (f *finisher) staysInEnvironment(d deploy.Object) bool {
	if !tree.Discovers(d.Group, d.Kind) && !tree.IsConfigMap(d.Group, d.Kind) || f.opts.Manifest.Relevance == nil {
		return true
	}
	switch f.opts.Manifest.Relevance(d.Group, d.Kind) {
	case manifest.Needed:
		return true
	case manifest.Undecided:
		return tree.Targets(d.Root)
	case manifest.Irrelevant, manifest.Companion:
	}
	return false
}
