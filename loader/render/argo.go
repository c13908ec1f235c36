package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// The kinds of Argo CD (argo-cd pkg/apis/application/v1alpha1).
const (
	kindApplication    = "Application"
	kindApplicationSet = "ApplicationSet"
)

func (d declared) isArgo() bool {
	return d.group == argoGroup && (d.kind == kindApplication || d.kind == kindApplicationSet)
}

// inCluster is the cluster that Argo CD itself runs in.
const inCluster = "in-cluster"

// application is an Application of Argo CD.
type application struct {
	object *loader.Object
	// origin is the number of the root that it comes from.
	origin int
}

func (a application) spec() *loader.Value { return a.object.Root.Get("spec") }

// destination is the cluster that it deploys to, by one name: that of the cluster
// or else its address (util/argo/argo.go, GetDestinationServer).
func (a application) destination() string {
	d := a.spec().Get("destination")
	server := strings.TrimRight(d.Str("server"), "/")
	if server == "https://kubernetes.default.svc" {
		return inCluster
	}
	_, host, _ := strings.Cut(server, "://")
	return cmp.Or(d.Str("name"), host, server, inCluster)
}

// namespace is where it puts objects that name none.
func (a application) namespace() string { return a.spec().Str("destination", "namespace") }

// sources are what it deploys (types.go, GetSources): the hydrator's dry source
// is what its other branch is made of.
func (a application) sources() []*loader.Value {
	if dry := a.spec().Get("sourceHydrator", "drySource"); dry != nil {
		return []*loader.Value{dry}
	}
	if list := a.spec().List("sources"); len(list) > 0 {
		return list
	}
	if one := a.spec().Get("source"); one != nil {
		return []*loader.Value{one}
	}
	return nil
}

// folders are those of the tree that the sources of the Application name.
func (a application) folders(v *view) []string {
	var out []string
	for _, source := range a.sources() {
		if dir := path.Clean(strings.TrimPrefix(source.Str("path"), "/")); dir != "." && v.dirs[dir] {
			out = append(out, dir)
		}
	}
	return out
}

// keeps says that what is taken out of Git stays until somebody prunes it
// (types.go, IsAutomatedSyncEnabled; SyncPolicyAutomated.Prune is false where it
// is not set).
func (a application) keeps() bool {
	automated := a.spec().Get("syncPolicy", "automated")
	enabled := automated != nil && !isFalse(automated.Get("enabled"))
	return !enabled || !isTrue(automated.Get("prune"))
}

func isFalse(v *loader.Value) bool { return v != nil && v.Shape == loader.Bool && v.Text == "false" }

// delivery is what Argo CD does with the objects of one source.
func (a application) delivery(source *loader.Value) *delivery {
	at := source.Get("path")
	if at == nil {
		at = source
	}
	d := &delivery{
		namespace: a.namespace(), way: a.object.Position(at),
		by: &loader.Deployer{ID: a.object.ID, At: a.object.First(), Keeps: a.keeps(), Parent: a.object.Deployer},
	}
	// Deleting an Application deletes what it deployed only with its finalizer
	// (types.go, CascadedDeletion).
	d.by.Deletes = slices.ContainsFunc(a.object.Root.List("metadata", "finalizers"), func(f *loader.Value) bool {
		return strings.HasPrefix(f.Text, "resources-finalizer.argocd.argoproj.io")
	})
	d.by.Orphans = !d.by.Deletes
	kustomize := source.Get("kustomize")
	for _, pair := range [][2]string{{"commonLabels", "labels"}, {"commonAnnotations", "annotations"}} {
		if v := kustomize.Get(pair[0]); nested(v) && v.Shape == loader.Map {
			if pair[1] == "labels" || isTrue(kustomize.Get("commonAnnotationsEnvsubst")) {
				v = v.Copy(func(v *loader.Value) {
					if v.Shape == loader.String {
						text, ok := a.filled(source, v.Text)
						v.Text, v.Opaque = text, v.Opaque || !ok
					}
				})
			}
			d.metadata = append(d.metadata, placed{key: pair[1], value: v, at: a.object.Position(v)})
		}
	}
	return d
}

// overlay is what the kustomize options add to the folder
// (util/kustomize/kustomize.go, Build). Images and replicas change nothing that
// matters here.
func (a application) overlay(source *loader.Value) *overlay {
	o := &overlay{file: a.object.First().File, restricted: true}
	spec := source.Get("kustomize")
	place := func(key string, v *loader.Value) placed {
		at := a.object.Position(v)
		out := *v
		out.Mark = loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}
		return placed{key: key, value: &out, at: at}
	}
	for _, key := range []string{"namePrefix", "nameSuffix", "namespace"} {
		if v := spec.Get(key); v != nil && v.Shape == loader.String && v.Text != "" {
			o.fields = append(o.fields, place(key, v))
		}
	}
	o.optional = isTrue(spec.Get("ignoreMissingComponents"))
	for _, item := range spec.List("components") {
		o.components = append(o.components, place("components", item))
	}
	for _, item := range spec.List("patches") {
		if body := item.Get("patch"); body != nil && body.Shape == loader.String {
			o.patches = append(o.patches, overlayPatch{target: item.Get("target"), body: place("patch", body)})
		}
	}
	return o
}

// argoTree lets generators ask a tree.
type argoTree struct {
	store *store
	view  *view
	own   string
	dirs  []string
}

// Own compares addresses in one spelling.
func (t argoTree) Own(url string) bool { return t.own != "" && addressOf(url) == t.own }

func (t argoTree) Directories() []string { return t.dirs }

func (t argoTree) Files() []string { return t.view.files }

func (t argoTree) Read(file string) ([]*loader.Value, error) {
	return t.store.documents(t.view, file)
}

// documents reads any YAML file of a tree.
func (s *store) documents(v *view, file string) ([]*loader.Value, error) {
	id := v.ids[file]
	if _, ok := s.raw[id]; !ok && s.missing[id] == nil {
		if err := s.batches(v.tree.Blobs, []string{id}, s.keep); err != nil {
			return nil, err
		}
	}
	p := s.parse(id)
	if len(p.problems) > 0 {
		at := p.problems[0].Position
		at.File = file
		return nil, &located{at: at, message: p.problems[0].Message}
	}
	return p.docs, nil
}

// located is an error with a place.
type located struct {
	at      loader.Position
	message string
}

func (e *located) Error() string { return e.at.String() + ": " + e.message }

// ownRepository is the address that most sources with a folder of this tree name.
func (s *argocd) ownRepository(v *view, roots []declared) string {
	votes, named := map[string]int{}, map[string]bool{}
	var visit func(*loader.Value)
	visit = func(n *loader.Value) {
		if n == nil {
			return
		}
		if url := n.Str("repoURL"); url != "" && n.Str("chart") == "" && !strings.Contains(url, "{{") {
			votes[addressOf(url)] += s.folders(v, n)
			named[addressOf(url)] = named[addressOf(url)] || !strings.HasPrefix(url, "oci://")
		}
		for _, f := range n.Fields {
			visit(f.Value)
		}
		for _, item := range n.Items {
			visit(item)
		}
	}
	for _, r := range roots {
		visit(r.root.Get("spec"))
	}
	best := ""
	for _, url := range sorted(votes) {
		if votes[url] > votes[best] {
			best = url
		}
	}
	// Where no path tells, as with a path that is the root or a variable, the only
	// repository that is named is the one.
	if list := sorted(named); best == "" && len(list) == 1 && named[list[0]] {
		return list[0]
	}
	return best
}

// folders counts the paths of a source or generator that exist in the tree.
func (s *argocd) folders(v *view, source *loader.Value) int {
	n := 0
	count := func(p string) {
		p = path.Clean(strings.TrimPrefix(p, "/"))
		if i := strings.IndexAny(p, "*{"); i >= 0 {
			p = path.Dir(p[:i] + "x")
		}
		_, file := v.ids[p]
		if p != "." && (v.dirs[p] || file) {
			n++
		}
	}
	count(source.Str("path"))
	for _, key := range []string{"directories", "files"} {
		for _, item := range source.List(key) {
			count(item.Str("path"))
		}
	}
	return n
}

// argoObjects are the Applications and ApplicationSets that stand in files.
func (s *argocd) argoObjects(v *view) []declared {
	var out []declared
	for _, file := range v.manifests {
		if v.inChart(file) || dotted(file) {
			continue
		}
		for _, doc := range s.store.file(v.ids[file]).Documents {
			if d := declare(doc, file); d.isArgo() {
				out = append(out, d)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b declared) int {
		return cmp.Or(cmp.Compare(strings.Count(a.files[0], "/"), strings.Count(b.files[0], "/")), cmp.Compare(a.files[0], b.files[0]))
	})
	return out
}
