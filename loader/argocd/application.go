package argocd

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/applicationset"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/flux"
	"github.com/gwplan/gwplan/loader/ocm"
	"github.com/gwplan/gwplan/loader/tree"
)

// inCluster is the name of the cluster in which Argo CD itself runs.
const inCluster = "in-cluster"

// application is an Application of Argo CD.
type application struct {
	object *loader.Object
	// origin is the index of the root from which it is reached.
	origin int
	// ignored are the fields in which Argo CD ignores differences for all Applications.
	ignored []loader.LeftFields
	// stays is that of argoItem.
	stays bool
}

func (a application) spec() *loader.Value { return a.object.Root.Get("spec") }

// destination returns one name for the cluster that it deploys to: the cluster name, or else its
// address (util/argo/argo.go, GetDestinationServer) without what may hold a secret: a user, a query and a fragment.
func (a application) destination() string {
	d := a.spec().Get("destination")
	server := strings.TrimRight(d.Str("server"), "/")
	if server == "https://kubernetes.default.svc" {
		return inCluster
	}
	if _, host, ok := strings.Cut(server, "://"); ok {
		server = host
	}
	server, _, _ = strings.Cut(server, "#")
	server, _, _ = strings.Cut(server, "?")
	server = strings.TrimRight(server[strings.LastIndex(server, "@")+1:], "/")
	return cmp.Or(d.Str("name"), server, inCluster)
}

// namespace returns the namespace for objects that set none.
func (a application) namespace() string { return a.spec().Str("destination", "namespace") }

// sources returns the deployed sources (types.go, GetSources). The hydrator generates its other
// branch from the dry source.
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

// folders returns the folders of the tree that the sources of the Application name.
func (a application) folders(v *tree.View) []string {
	var out []string
	for _, source := range a.sources() {
		if dir := path.Clean(strings.TrimPrefix(source.Str("path"), "/")); dir != "." && v.Dirs[dir] {
			out = append(out, dir)
		}
	}
	return out
}

// keeps reports whether objects removed from Git stay in the cluster until a manual prune
// (types.go, IsAutomatedSyncEnabled; SyncPolicyAutomated.Prune is false if unset).
func (a application) keeps() bool {
	return a.manual() || !a.spec().Get("syncPolicy", "automated", "prune").IsTrue()
}

// manual reports whether Argo CD waits for a person before it syncs (argo-cd pkg/apis/application/v1alpha1/types.go,
// SyncPolicy.IsAutomatedSyncEnabled).
func (a application) manual() bool {
	automated := a.spec().Get("syncPolicy", "automated")
	return automated == nil || automated.Get("enabled").IsFalse()
}

// delivery returns what Argo CD does with the objects of one source.
func (a application) delivery(source *loader.Value) *deploy.Delivery {
	at := source.Get("path")
	if at == nil {
		at = source
	}
	d := &deploy.Delivery{
		Namespace: a.namespace(), Way: a.object.Position(at),
		By: &loader.Deployer{ID: a.object.ID, At: a.object.First(), Manual: a.manual(), Keeps: a.keeps(), Stays: a.stays, Parent: a.object.Deployer, Content: loader.Digest(a.object.ID, a.object.Root)},
	}
	// If an Application is deleted, its objects are deleted only if it has this finalizer
	// (types.go, CascadedDeletion).
	d.By.Deletes = slices.ContainsFunc(a.object.Root.List("metadata", "finalizers"), func(f *loader.Value) bool {
		return strings.HasPrefix(f.Text, applicationset.Finalizer)
	})
	d.By.Orphans = !d.By.Deletes
	d.By.Left = a.leaves()
	if labels := a.namespaceLabels(); len(labels) > 0 {
		d.By.Namespace, d.By.Labels = a.namespace(), labels
	}
	kustomize := source.Get("kustomize")
	if v := kustomize.Get("commonLabels"); tree.Nested(v) && v.Shape == loader.Map {
		// The build has them, too: here they get the position of the Application.
		d.Metadata = append(d.Metadata, deploy.Located{Key: "labels", Value: a.filledIn(source, v), At: a.object.Position(v)})
	}
	if v := kustomize.Get("commonAnnotations"); tree.Nested(v) && v.Shape == loader.Map {
		if kustomize.Get("commonAnnotationsEnvsubst").IsTrue() {
			v = a.filledIn(source, v)
		}
		d.Metadata = append(d.Metadata, deploy.Located{Key: "annotations", Value: v, At: a.object.Position(v)})
	}
	return d
}

// namespaceLabels returns the labels that a sync gives the Namespace of the destination (controller/sync.go, CreateNamespace;
// controller/sync_namespace.go, syncNamespace).
func (a application) namespaceLabels() map[string]string {
	policy := a.spec().Get("syncPolicy")
	if a.namespace() == "" || !slices.ContainsFunc(policy.List("syncOptions"), func(o *loader.Value) bool { return o.Text == "CreateNamespace=true" }) {
		return nil
	}
	labels := map[string]string{}
	for _, f := range policy.Get("managedNamespaceMetadata", "labels").FieldList() {
		labels[f.Key] = f.Value.Text
	}
	return labels
}

// filledIn returns a map with the variables of the build in its texts replaced.
func (a application) filledIn(source, v *loader.Value) *loader.Value {
	return v.Copy(func(v *loader.Value) {
		if v.Shape == loader.String {
			text, ok := a.filled(source, v.Text)
			v.Text, v.Opaque = text, v.Opaque || !ok
		}
	})
}

// plainPath matches a jq expression that is a path of plain keys, and of all items of lists.
var plainPath = regexp.MustCompile(`^(\.[A-Za-z_][A-Za-z0-9_]*(\[\])?)+$`)

// leaves returns the fields that are not applied: of ignoreDifferences, where the sync respects them (types.go,
// ResourceIgnoreDifferences).
func (a application) leaves() []loader.LeftFields {
	options := a.spec().Get("syncPolicy").List("syncOptions")
	if !slices.ContainsFunc(options, func(o *loader.Value) bool { return o.Text == "RespectIgnoreDifferences=true" }) {
		return nil
	}
	out := slices.Clone(a.ignored)
	for _, item := range a.spec().List("ignoreDifferences") {
		out = append(out, leftFields(item))
	}
	return out
}

// leftFields reads one item of ignoreDifferences.
func leftFields(item *loader.Value) loader.LeftFields {
	left := loader.LeftFields{Group: item.Str("group"), Kind: item.Str("kind"), Namespace: item.Str("namespace"), Name: item.Str("name")}
	known := len(item.List("managedFieldsManagers")) == 0
	for _, pointer := range item.List("jsonPointers") {
		path := strings.Split(strings.TrimPrefix(pointer.Text, "/"), "/")
		known = known && !slices.ContainsFunc(path, isIndex)
		left.Paths = append(left.Paths, path)
	}
	for _, expression := range item.List("jqPathExpressions") {
		known = known && plainPath.MatchString(expression.Text)
		left.Paths = append(left.Paths, strings.Split(strings.ReplaceAll(strings.TrimPrefix(expression.Text, "."), "[]", "."+loader.EachItem), "."))
	}
	if !known {
		left.Paths = nil
	}
	return left
}

// isIndex reports whether a key of a pointer may be the index of a list item, or is escaped.
func isIndex(key string) bool {
	return strings.Trim(key, "0123456789-") == "" || strings.Contains(key, "~")
}

// overlay returns the changes of the kustomize options to the folder (util/kustomize/kustomize.go,
// Build). Images and replicas do not affect the analysis.
func (a application) overlay(source *loader.Value) *deploy.Overlay {
	o := &deploy.Overlay{File: a.object.First().File, Restricted: true}
	spec := source.Get("kustomize")
	place := func(key string, v *loader.Value) deploy.Located {
		at := a.object.Position(v)
		out := *v
		out.Mark = loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}
		return deploy.Located{Key: key, Value: &out, At: at}
	}
	for _, key := range []string{"namePrefix", "nameSuffix", "namespace"} {
		if v := spec.Get(key); v != nil && v.Shape == loader.String && v.Text != "" {
			o.Fields = append(o.Fields, place(key, v))
		}
	}
	// kustomize edit add label, which writes selectors and templates, too, unless it is told not to.
	if v := spec.Get("commonLabels"); tree.Nested(v) && v.Shape == loader.Map && len(v.Fields) > 0 {
		item := &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: "pairs", Value: a.filledIn(source, v)}}}
		if !spec.Get("labelWithoutSelector").IsTrue() {
			item.Fields = append(item.Fields, loader.Field{Key: "includeSelectors", Value: &loader.Value{Shape: loader.Bool, Text: "true"}})
		} else if include := spec.Get("labelIncludeTemplates"); include.IsTrue() {
			item.Fields = append(item.Fields, loader.Field{Key: "includeTemplates", Value: include})
		}
		o.Labels = append(o.Labels, place("labels", item))
	}
	o.Optional = spec.Get("ignoreMissingComponents").IsTrue()
	for _, item := range spec.List("components") {
		o.Components = append(o.Components, place("components", item))
	}
	for _, item := range spec.List("patches") {
		if body := item.Get("patch"); body != nil && body.Shape == loader.String {
			o.Patches = append(o.Patches, deploy.OverlayPatch{Target: item.Get("target"), Body: place("patch", body)})
		}
	}
	return o
}

// argoTree provides a tree to generators.
type argoTree struct {
	store *tree.Store
	view  *tree.View
	// own are the addresses of this repository.
	own  []string
	dirs []string
	// hub returns what distributes objects to managed clusters, or nil.
	hub func() *ocm.Hub
}

// Own compares an address in normalised form.
func (t argoTree) Own(url string) bool { return slices.Contains(t.own, flux.AddressOf(url)) }

func (t argoTree) Directories() []string { return t.dirs }

func (t argoTree) Files() []string { return t.view.Files }

func (t argoTree) Read(file string) ([]*loader.Value, error) {
	return t.store.Documents(t.view, file)
}

// Placed returns the clusters that a Placement chooses.
func (t argoTree) Placed(namespace, placement string) ([]string, error) {
	hub := t.hub()
	if hub == nil {
		return nil, errors.New("no ManagedCluster is in the input")
	}
	return hub.Chosen(namespace, placement)
}

// hubOf returns a function that reads what distributes objects to managed clusters from the manifests of a
// tree, once.
func hubOf(st *tree.Store, v *tree.View) func() *ocm.Hub {
	return sync.OnceValue(func() *ocm.Hub {
		var objects []deploy.Object
		for _, one := range st.Deployers(v) {
			if tree.Distributes(one.Document.Group, one.Document.Kind) && !v.InChart(one.File) {
				objects = append(objects, deploy.Declare(one.Document, one.File))
			}
		}
		return ocm.Read(objects, ocm.Kinds{})
	})
}

// ownRepository returns the address with the most source paths that exist in this tree, and others of a repository of the same name
// with such paths: it was moved to another organisation, or is named by a placeholder. Of a second tree those of the first one count
// alone, as an edit may lead to a copy.
func (s *Reader) ownRepository(v *tree.View, roots []deploy.Object) []string {
	votes, named := map[string]int{}, map[string]bool{}
	var visit func(*loader.Value)
	visit = func(n *loader.Value) {
		if n == nil {
			return
		}
		if url := n.Str("repoURL"); url != "" && n.Str("chart") == "" && !strings.Contains(url, "{{") {
			votes[flux.AddressOf(url)] += s.folders(v, n)
			named[flux.AddressOf(url)] = named[flux.AddressOf(url)] || !strings.HasPrefix(url, "oci://")
		}
		for _, f := range n.Fields {
			visit(f.Value)
		}
		for _, item := range n.Items {
			visit(item)
		}
	}
	for _, r := range roots {
		visit(r.Root.Get("spec"))
	}
	if slices.ContainsFunc(s.addresses, func(url string) bool { return votes[url] > 0 }) {
		maps.DeleteFunc(votes, func(url string, _ int) bool { return !slices.Contains(s.addresses, url) })
	}
	best := ""
	for _, url := range tree.Sorted(votes) {
		if votes[url] > votes[best] {
			best = url
		}
	}
	// If no path decides it, for example because the path is the root or a variable, it is the only
	// repository that sources name.
	if list := tree.Sorted(named); best == "" && len(list) == 1 && named[list[0]] {
		return list
	}
	var out []string
	for _, url := range tree.Sorted(votes) {
		if url == best || best != "" && votes[url] > 0 && path.Base(url) == path.Base(best) {
			out = append(out, url)
		}
	}
	if s.addresses == nil {
		s.addresses = append([]string{}, out...)
	}
	return out
}

// folders counts the paths of a source or generator that exist in the tree.
func (s *Reader) folders(v *tree.View, source *loader.Value) int {
	n := 0
	count := func(p string) {
		p = path.Clean(strings.TrimPrefix(p, "/"))
		if i := strings.IndexAny(p, "*{"); i >= 0 {
			p = path.Dir(p[:i] + "x")
		}
		_, file := v.IDs[p]
		if p != "." && (v.Dirs[p] || file) {
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

// argoObjects returns the Applications and ApplicationSets in files. Those of test fixtures are applied only by what names their folder,
// if the first tree has others.
func (s *Reader) argoObjects(v *tree.View) []deploy.Object {
	var out []deploy.Object
	for _, one := range s.store.Deployers(v) {
		if d := deploy.Declare(one.Document, one.File); d.IsArgo() && !v.InChart(one.File) && !tree.Dotted(one.File) {
			out = append(out, d)
		}
	}
	fixture := func(d deploy.Object) bool {
		return slices.ContainsFunc(strings.Split(path.Dir(d.Files[0]), "/"), func(folder string) bool { return folder == "testdata" || folder == "fixtures" })
	}
	others := slices.DeleteFunc(slices.Clone(out), fixture)
	if s.noFixtures == nil {
		s.noFixtures = new(len(others) > 0)
	}
	if *s.noFixtures {
		out = others
	}
	slices.SortStableFunc(out, func(a, b deploy.Object) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Files[0], "/"), strings.Count(b.Files[0], "/")), cmp.Compare(a.Files[0], b.Files[0]))
	})
	return out
}

// gap records that the objects an Application would deploy, from folders of the tree or from
// elsewhere, are unknown.
func (app application) gap(at loader.Position, roots ...string) loader.Gap {
	return loader.Gap{
		Kind: deploy.KindApplication, Name: deploy.Clip(app.object.ID.Name), Namespace: app.namespace(), Position: at,
		Content: deploy.Deciding(app.object), Roots: roots,
	}
}

// spoken is the Application in a message.
func (app application) spoken() string { return "the Application " + deploy.Quote(app.object.ID.Name) }

// lose reports a source without a result, and the folders of the tree that it would deploy.
func (app application) lose(c *deploy.Cluster, at *loader.Value, what deploy.Complaint, severity loader.Severity, roots ...string) {
	p := what.Problem(app.object.Position(at))
	p.Severity, p.Environments, p.Release = severity, []string{c.Name}, app.object.ID.Name
	c.Gap(app.gap(p.Position, roots...))
	if what.Code == loader.ArgoPathMissing {
		c.Lost = append(c.Lost, p)
		return
	}
	c.Problems = append(c.Problems, p)
}
