package loader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// ID identifies a Kubernetes object within one environment, regardless of its version. Namespace is
// empty for cluster-scoped kinds.
type ID struct {
	Group, Kind, Namespace, Name string
}

// Spoken names the object as people do, in sentences.
func (id ID) Spoken() string { return Spoken(id.String()) }

// Spoken names an object that is given as ID.String writes it: "SecurityPolicy shop/auth". Of groups it names only that
// of Gateway API, which String writes only for kinds of the core group: there the group is the mistake. A Gateway of
// another group, such as Istio's, is named with it.
func Spoken(id string) string {
	kind, rest, _ := strings.Cut(id, "/")
	if bare, group, grouped := strings.Cut(kind, "."); grouped && group != GatewayGroup && bare != "Gateway" {
		kind = bare
	}
	return kind + " " + rest
}

// Compare orders by group, kind, namespace, name.
func (id ID) Compare(other ID) int {
	return cmp.Or(
		cmp.Compare(id.Group, other.Group), cmp.Compare(id.Kind, other.Kind),
		cmp.Compare(id.Namespace, other.Namespace), cmp.Compare(id.Name, other.Name),
	)
}

// The API groups of Gateway API. The first is left out when an object is written, as core is.
const (
	GatewayGroup      = "gateway.networking.k8s.io"
	ExperimentalGroup = "gateway.networking.x-k8s.io"
)

// String returns the node of an object: KIND[.GROUP]/NAMESPACE/NAME. The group is omitted for core
// and Gateway API, the namespace for cluster-scoped kinds.
func (id ID) String() string {
	var b strings.Builder
	b.WriteString(id.Kind)
	if id.Group != "" && (id.Group != GatewayGroup || ofCore(id.Kind)) {
		b.WriteString("." + id.Group)
	}
	if id.Namespace != "" {
		b.WriteString("/" + id.Namespace)
	}
	b.WriteString("/" + id.Name)
	return b.String()
}

// ofCore reports whether a kind is one of core that Gateway API refers to. With the group of Gateway API it is another
// kind, which does not exist: its group is written.
func ofCore(kind string) bool {
	switch kind {
	case "Service", "Secret", "ConfigMap", "Namespace":
		return true
	}
	return false
}

// Position is a place in a file, for display. File is a slash path relative to the root of the
// tree. Line and Column count from 1; 0 means unknown.
type Position struct {
	File         string
	Line, Column int
}

// String returns file:line:column, as far as they are known.
func (p Position) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Compare orders by file, line, column.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Object is one Kubernetes object of an environment. Its namespace is already filled in, so that
// later code can compare IDs with ==.
type Object struct {
	ID      ID
	Version string
	// Root is the whole object after rendering and schema defaults. The body of
	// a Secret is never kept.
	Root *Value
	// Files are the files that Mark.File indexes; Files[0] declares the object.
	Files []string
	// Origin is the file from which a rendered object was made, if the renderer reports it, else
	// "". Its lines are not known.
	Origin string
	// Listed are the entries of kustomizations that include the object, from the outermost on; none
	// for plain files.
	Listed []Position
	// Inputs are places outside its own files that its content depends on: what sets its variables,
	// the values of its chart.
	Inputs []Position
	// GeneratedBy is the object in the input from which a controller creates this one in the
	// cluster. It is the zero ID for objects of the input.
	GeneratedBy ID
	// Deployer applies the object. It is nil if nothing in the input shows which deployer does.
	Deployer *Deployer
	// Frozen is the label or annotation because of which its deployer does not apply the object, ""
	// if there is none. The object in the cluster then stays as it is.
	Frozen string
	// NamespaceAssumed is true if no manifest and no deployer names a namespace, so that `default`
	// was assumed.
	NamespaceAssumed bool
	// Context marks an object that is deployed elsewhere: it is read, but not reported.
	Context bool
	// Digest identifies the content (identity and Root, without marks). Equal
	// digests mean equal objects, in either revision.
	Digest [16]byte
}

// Deployer is an object for which a controller applies other objects: a Kustomization of Flux, an
// Application of Argo CD.
type Deployer struct {
	ID ID
	At Position
	// Suspended is true if it currently applies nothing by its own settings.
	Suspended bool
	// Manual is true if it applies what is in Git only when a person tells it to.
	Manual bool
	// Keeps is true if objects that are removed from Git stay in the cluster. Asked is true if one object asks for that itself.
	Keeps, Asked bool
	// Orphans is true if the applied objects stay when the deployer itself is deleted. Deletes is
	// true if they are then deleted, whatever Keeps is.
	Orphans, Deletes bool
	// Stays is true if nothing in Git has the deployer applied any more, and nothing removes it from the cluster: it goes on.
	Stays bool
	// CreatesOnly is true if it makes the deployers below it, and leaves those that exist as they are.
	CreatesOnly bool
	// Parent is the deployer that applies this one, or nil.
	Parent *Deployer
	// Content identifies what its manifest says, zero if that is not known.
	Content [16]byte
	// Left are the fields of objects that it leaves as the cluster has them.
	Left []LeftFields
	// Labels are those that it gives the Namespace that it creates for its objects, and Namespace is its name; "" if it gives none.
	Namespace string
	Labels    map[string]string
	// Chart is the chart of a HelmRelease that is taken again only with another version; nil if there is none.
	Chart *VersionedChart
}

// above returns the deployer of a name among this one and those that apply it, or nil. It is nil for nil.
func (d *Deployer) above(id ID) *Deployer {
	for ; d != nil; d = d.Parent {
		if d.ID == id {
			return d
		}
	}
	return nil
}

// IsBelow reports whether a deployer is another one, or applied by it. The other may be nil.
func (d *Deployer) IsBelow(other *Deployer) bool { return other != nil && d.above(other.ID) != nil }

// Root returns the deployer at the top: the one that no deployer of the environment applies. It is nil for nil.
func (d *Deployer) Root() *Deployer {
	for d != nil && d.Parent != nil {
		d = d.Parent
	}
	return d
}

// LeftFields are fields of some objects that an Application of Argo CD leaves as the cluster has them: ignoreDifferences with the
// sync option RespectIgnoreDifferences (argo-cd controller/sync.go, normalizeTargetResources).
type LeftFields struct {
	// Group and Kind are those of the objects, * for any; an empty Namespace or Name is any.
	Group, Kind, Namespace, Name string
	// Paths are the fields as keys, with EachItem for the items of a list; each is whole. There are none if the fields are
	// written in another way.
	Paths [][]string
}

// EachItem stands for each item of a list in a path of LeftFields.
const EachItem = "*"

// Of reports whether the fields are those of an object.
func (l LeftFields) Of(id ID) bool {
	is := func(pattern, text string) bool { return pattern == "*" || pattern == text }
	return is(l.Group, id.Group) && is(l.Kind, id.Kind) && (l.Namespace == "" || l.Namespace == id.Namespace) && (l.Name == "" || l.Name == id.Name)
}

// Differ reports whether one of the fields differs between two forms of an object. It returns true if the paths of the
// fields are not known.
func (l LeftFields) Differ(before, after *Object) bool {
	return len(l.Paths) == 0 || slices.ContainsFunc(l.Paths, func(path []string) bool {
		return !slices.EqualFunc(valuesAt(before.Root, path), valuesAt(after.Root, path), Equal)
	})
}

// valuesAt returns the values at a path, one for each item that it passes; those that are not there are nil.
func valuesAt(v *Value, path []string) []*Value {
	if len(path) == 0 {
		return []*Value{v}
	}
	if path[0] != EachItem {
		return valuesAt(v.Get(path[0]), path[1:])
	}
	var out []*Value
	for _, item := range v.ItemList() {
		out = append(out, valuesAt(item, path[1:])...)
	}
	return out
}

// VersionedChart is a chart of a Git repository that source-controller packages again only if its version, or what the
// release says of it, has changed (HelmChart.spec.reconcileStrategy: ChartVersion, the default;
// source-controller internal/helm/chart/builder_local.go, Build).
type VersionedChart struct {
	Dir, Version string
	// Template identifies what the release says of its chart, Content the files of the chart.
	Template, Content [16]byte
}

// StaysAs reports whether an edit of the chart since before is not packaged.
func (c *VersionedChart) StaysAs(before *VersionedChart) bool {
	return c != nil && before != nil && c.Dir == before.Dir && c.Version == before.Version && c.Template == before.Template && c.Content != before.Content
}

// The reasons for which an object is created where it does not exist and otherwise left unchanged: the annotation of Flux,
// and the strategy of a ManifestWork.
const (
	CreatedOnly = "kustomize.toolkit.fluxcd.io/ssa: IfNotPresent"
	WorkCreates = "updateStrategy: CreateOnly"
)

// IsCreatedOnly reports whether the object is created where it does not exist and otherwise left unchanged.
func (o *Object) IsCreatedOnly() bool { return o.Frozen == CreatedOnly || o.Frozen == WorkCreates }

// HelmHook is the annotation that makes an object a hook of a release, which is no part of it.
const HelmHook = "helm.sh/hook"

// AppliedHook reports whether an object with this annotation of Helm reaches the cluster with an installation or upgrade: it is
// none, or not only for tests, a rollback or the end of the release.
func AppliedHook(annotation string) bool {
	if annotation == "" {
		return true
	}
	for event := range strings.SplitSeq(annotation, ",") {
		switch strings.TrimSpace(event) {
		case "pre-install", "post-install", "pre-upgrade", "post-upgrade", "crd-install":
			return true
		}
	}
	return false
}

// IsHook reports whether an object is a hook of Helm that an upgrade does not run.
func (o *Object) IsHook() bool { return strings.HasPrefix(o.Frozen, HelmHook) }

// KeptBy returns the deployer that keeps an object in the cluster although a revision no longer has it: the deployer of
// the object, or the one that applies that deployer. It returns nil if the object is removed. now are the deployers of the
// revision: they remove what they applied before as they are told there (kustomize-controller
// internal/controller/kustomization_controller.go, prune).
func (d *Deployer) KeptBy(now map[ID]*Deployer) *Deployer {
	switch is := now[d.ID]; {
	case is != nil:
		if d.Asked || is.Keeps {
			return d
		}
	case d.Parent != nil && d.Parent.latest(now).Keeps:
		return d.Parent
	case d.Orphans || (d.Keeps || d.Asked) && !d.Deletes:
		return d
	}
	return nil
}

// latest returns the deployer as some others have it, or as it is.
func (d *Deployer) latest(others map[ID]*Deployer) *Deployer {
	if is := others[d.ID]; is != nil {
		return is
	}
	return d
}

// StoppedBy returns the deployer because of which edits of the manifests do not reach the cluster: this one, or the closest
// one above that is suspended. It returns nil if there is none.
func (d *Deployer) StoppedBy() *Deployer {
	for ; d != nil; d = d.Parent {
		if d.Suspended {
			return d
		}
	}
	return nil
}

// Position returns the position of one of the object's values. For a nil value, or one without a
// mark, it is the object's first line.
func (o *Object) Position(v *Value) Position {
	if v == nil || v.Mark.Line == 0 {
		v = o.Root
	}
	if v == nil || int(v.Mark.File) >= len(o.Files) {
		return Position{File: o.file()}
	}
	if o.Origin != "" && v.Mark.File == 0 {
		return Position{File: o.Origin}
	}
	return Position{File: o.Files[v.Mark.File], Line: int(v.Mark.Line), Column: int(v.Mark.Column)}
}

// First is the position of the object itself: the first line of its document.
func (o *Object) First() Position { return o.Position(o.Root) }

func (o *Object) file() string {
	if o.Origin != "" || len(o.Files) == 0 {
		return o.Origin
	}
	return o.Files[0]
}

// SameBody reports whether two forms of an object differ in their metadata alone.
func (o *Object) SameBody(other *Object) bool {
	body := func(o *Object) []Field {
		return slices.DeleteFunc(slices.Clone(o.Root.FieldList()), func(f Field) bool { return f.Key == "metadata" })
	}
	return slices.EqualFunc(body(o), body(other), func(a, b Field) bool { return a.Key == b.Key && Equal(a.Value, b.Value) })
}

// Spec is the object's spec, or nil.
func (o *Object) Spec() *Value {
	if o == nil {
		return nil
	}
	return o.Root.Get("spec")
}

// Labels are the object's labels.
func (o *Object) Labels() map[string]string { return o.strings("labels") }

// Annotations are the object's annotations.
func (o *Object) Annotations() map[string]string { return o.strings("annotations") }

func (o *Object) strings(field string) map[string]string {
	m := o.Root.Get("metadata", field)
	if m == nil {
		return nil
	}
	out := make(map[string]string, len(m.Fields))
	for _, f := range m.Fields {
		if f.Value.Shape == String {
			out[f.Key] = f.Value.Text
		}
	}
	return out
}
