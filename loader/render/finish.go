package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
)

// defaultNamespace is where an object lands when nothing names a namespace.
const defaultNamespace = "default"

// finisher turns declared objects into those of an environment: namespace,
// schema defaults, digest. What it has done for one document serves every
// environment and tree with the same schemas.
type finisher struct {
	opts Options
	mu   sync.Mutex
	sets map[string]*schema.Set
	memo map[finishKey]finished
}

type finishKey struct {
	root *loader.Value
	set  *schema.Set
	id   loader.ID
}

type finished struct {
	root   *loader.Value
	digest [16]byte
}

func newFinisher(opts Options) *finisher {
	return &finisher{opts: opts, sets: map[string]*schema.Set{}, memo: map[finishKey]finished{}}
}

// kinds is what the CRDs of an environment say.
type kinds struct {
	set    *schema.Set
	scopes map[string]string
}

// kinds reads the CRDs among the objects.
func (f *finisher) kinds(objects []declared) kinds {
	k := kinds{set: f.opts.Schemas, scopes: map[string]string{}}
	var crds []*loader.Value
	var key strings.Builder
	for _, d := range objects {
		if d.group != crdGroup || d.kind != crdKind {
			continue
		}
		crds = append(crds, d.root)
		k.scopes[d.root.Str("spec", "group")+"/"+d.root.Str("spec", "names", "kind")] = d.root.Str("spec", "scope")
		digest := loader.Digest(loader.ID{Name: d.name}, d.root)
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

// clusterScoped says whether a kind has no namespace.
func (f *finisher) clusterScoped(k kinds, d declared) bool {
	if scope := k.scopes[d.group+"/"+d.kind]; scope != "" {
		return scope == "Cluster"
	}
	return f.opts.ClusterScoped(d.group, d.kind)
}

// object finishes one.
func (f *finisher) object(d declared, k kinds) *loader.Object {
	o := d.object()
	switch {
	case f.clusterScoped(k, d):
		o.ID.Namespace = ""
	case o.ID.Namespace == "":
		o.ID.Namespace, o.NamespaceAssumed = defaultNamespace, true
	}
	key := finishKey{d.root, k.set, o.ID}
	f.mu.Lock()
	defer f.mu.Unlock()
	done, ok := f.memo[key]
	if !ok {
		root := d.root
		if isSecret(d.group, d.kind) {
			root = withoutSecrets(root)
		}
		if k.set != nil {
			root = k.set.Apply(d.group, d.version, d.kind, root)
		}
		done = finished{root, loader.Digest(o.ID, root)}
		f.memo[key] = done
	}
	o.Root, o.Digest = done.root, done.digest
	return o
}

// environment finishes the objects of one environment, in apply order.
func (f *finisher) environment(e *loader.Environment, objects, context []declared) error {
	k := f.kinds(slices.Concat(context, objects))
	if n := len(objects) + len(context); n > f.opts.MaxObjects {
		return fmt.Errorf("the environment %q holds %d objects, over the limit of %d; raise the limit of objects per environment", e.Name, n, f.opts.MaxObjects)
	}
	last := make(map[loader.ID]*loader.Object, len(objects))
	for i, d := range slices.Concat(context, objects) {
		if d.name == "" || !f.kept(d) {
			continue
		}
		o := f.object(d, k)
		o.Context = i < len(context)
		if before := last[o.ID]; before != nil && !before.Context && !same(before, o) {
			e.Duplicates = append(e.Duplicates, loader.Duplicate{Kept: o, Dropped: before})
		}
		last[o.ID] = o
	}
	for _, o := range last {
		e.Objects = append(e.Objects, o)
	}
	slices.SortFunc(e.Objects, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	for i := range e.Duplicates {
		e.Duplicates[i].Kept = last[e.Duplicates[i].Dropped.ID]
	}
	slices.SortStableFunc(e.Duplicates, func(a, b loader.Duplicate) int {
		return cmp.Or(a.Dropped.ID.Compare(b.Dropped.ID), a.Dropped.First().Compare(b.Dropped.First()))
	})
	return nil
}

// same says that two objects are one declaration that lands in an environment
// on two ways.
func same(a, b *loader.Object) bool {
	return a.Digest == b.Digest && a.First() == b.First()
}

// kept leaves out the kinds that were read for discovery alone.
func (f *finisher) kept(d declared) bool {
	if !deploys(d.group, d.kind) || f.opts.Manifest.Relevance == nil {
		return true
	}
	return f.opts.Manifest.Relevance(d.group, d.kind) != manifest.Irrelevant
}
