package deploy

import (
	"cmp"
	"path"
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// followed lists the fields of the spec, by group and kind, that gwplan follows or that do not change what is applied:
// how often and how long a deployer tries, how it reports and signs in, and how it replaces objects. A change of any
// other field is told: also of those by which it refuses what nobody signed, or what came unencrypted, because without
// them somebody else decides what is applied. The sources are the types of kustomize-controller, helm-controller and source-controller
// (api/*/*_types.go) and of Argo CD (pkg/apis/application/v1alpha1/types.go).
var followed = map[string]map[string][]string{
	tree.FluxGroup: {"Kustomization": {
		"commonMetadata", "components", "deletionPolicy", "force", "healthCheckExprs", "healthChecks", "ignoreMissingComponents",
		"images", "interval", "namePrefix", "nameSuffix", "patches", "path", "postBuild", "prune", "retryInterval", "suspend",
		"targetNamespace", "timeout", "wait",
	}},
	tree.HelmGroup: {"HelmRelease": {
		"chart", "chartRef", "commonMetadata", "driftDetection", "healthCheckExprs", "install", "interval", "maxHistory", "persistentClient",
		"postRenderers", "rollback", "suspend", "targetNamespace", "test", "timeout", "uninstall",
		"upgrade", "values", "valuesFrom", "waitStrategy",
	}},
	tree.FluxSourceGroup: {
		"GitRepository":  {"interval", "provider", "proxySecretRef", "secretRef", "serviceAccountName", "timeout"},
		"OCIRepository":  {"certSecretRef", "interval", "provider", "proxySecretRef", "secretRef", "serviceAccountName", "timeout"},
		"Bucket":         {"certSecretRef", "ignore", "interval", "provider", "proxySecretRef", "secretRef", "sts", "timeout"},
		"HelmRepository": {"accessFrom", "certSecretRef", "interval", "passCredentials", "provider", "secretRef", "suspend", "timeout", "type", "url"},
		"HelmChart":      {"chart", "ignoreMissingValuesFiles", "interval", "sourceRef", "suspend", "version"},
	},
	tree.OperatorGroup: {
		"FluxInstance": {"cluster", "commonMetadata", "components", "distribution", "kustomize", "migrateResources", "sharding", "storage", "wait"},
		"ResourceSet":  {"commonMetadata", "inputs", "inputsFrom", "inputStrategy", "resources", "resourcesTemplate", "timeout", "wait"},
	},
	tree.ArgoGroup: {
		KindApplication: {"destination", "ignoreDifferences", "info", "revisionHistoryLimit", "source", "sourceHydrator", "sources", "syncPolicy"},
		KindApplicationSet: {
			"applyNestedSelectors", "generators", "goTemplate", "goTemplateOptions", "ignoreApplicationDifferences", "preservedFields", "syncPolicy",
			"template", "templatePatch",
		},
		KindAppProject: {"description", "orphanedResources", "roles"},
	},
}

// served are the versions of the APIs that some release of a deployer serves.
var served = map[string][]string{
	tree.FluxGroup: {"v1", "v1beta1", "v1beta2"},
	tree.HelmGroup: {"v2", "v2beta1", "v2beta2"},
	tree.ArgoGroup: {"v1alpha1"},
}

// Controls returns the objects of an environment that tell deployers what to apply, each once and sorted by ID: the
// declared ones, and those among its objects. uses are the variables that files of the revision use.
func Controls(declared []*loader.Object, objects []Object, uses []string) []loader.Control {
	all := slices.Clone(declared)
	for _, d := range objects {
		if followed[d.Group][d.Kind] != nil && !(d.IsFlux() && d.IsFluxPatch()) {
			all = append(all, d.AsObject())
		}
	}
	slices.SortStableFunc(all, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	all = slices.CompactFunc(all, func(a, b *loader.Object) bool { return a.ID == b.ID })
	s := controlling{charts: map[loader.ID]bool{}, declared: map[loader.ID]bool{}, suspended: map[loader.ID]string{}, sources: map[loader.ID]string{}, given: map[loader.ID]*loader.Value{}}
	for _, d := range objects {
		if d.Group == "" && (d.Kind == "ConfigMap" || d.Kind == "Secret") {
			id := loader.ID{Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}
			s.sources[id] = "declared " + d.Root.Str(loader.SealedKey)
			if d.Kind == "ConfigMap" {
				s.given[id] = d.Root.Get("data")
			}
		}
	}
	waits := map[loader.ID][]loader.ID{}
	for _, o := range all {
		s.declared[o.ID] = true
		if o.ID.Kind == "Kustomization" && o.Spec().Get("suspend").IsTrue() {
			s.suspended[o.ID] = sourceOf(o)
		}
		for _, item := range o.Spec().List("dependsOn") {
			waits[o.ID] = append(waits[o.ID], dependency(o, item))
		}
		if ref := o.Spec().Get("chartRef"); ref != nil {
			s.charts[loader.ID{Group: tree.FluxSourceGroup, Kind: ref.Str("kind"), Namespace: cmp.Or(ref.Str("namespace"), o.ID.Namespace), Name: ref.Str("name")}] = true
		}
	}
	s.endless = endless(waits)
	var out []loader.Control
	for _, o := range all {
		c := s.control(o)
		c.Uses = uses
		out = append(out, c)
	}
	return out
}

// settingOf is the setting of a variable.
func settingOf(name string, at loader.Position) loader.Setting {
	words := "postBuild.substitute." + Clip(name)
	return loader.Setting{Field: words, Words: words, At: at, Variable: name}
}

// controlling is what the settings of deployers' objects refer to.
type controlling struct {
	declared map[loader.ID]bool
	// suspended are the Kustomizations of Flux that are suspended, with their sources.
	suspended map[loader.ID]string
	// endless are the objects that wait for each other in a circle.
	endless map[loader.ID]bool
	// charts are the sources of charts that releases name. Their addresses and versions are followed.
	charts map[loader.ID]bool
	// given is what ConfigMaps give variables.
	given map[loader.ID]*loader.Value
	// sources are the ConfigMaps and Secrets that variables come from, with a digest of a Secret.
	sources map[loader.ID]string
}

func (s *controlling) control(o *loader.Object) loader.Control {
	c := loader.Control{ID: o.ID, What: o.ID.Kind + " " + Clip(o.ID.Name), At: o.First()}
	if o.ID.Group == tree.FluxGroup {
		c.What = loader.FluxGap + " " + Clip(o.ID.Name)
	}
	put := func(field, words string, at, content *loader.Value) {
		c.Settings = append(c.Settings, loader.Setting{Field: field, Words: words, At: o.Position(at), Content: loader.Digest(loader.ID{}, content)})
	}
	add := func(field string, at, content *loader.Value) { put(field, field, at, content) }
	spec := o.Spec()
	if spec == nil {
		return c
	}
	if versions := served[o.ID.Group]; len(versions) > 0 && !slices.Contains(versions, o.Version) {
		add("apiVersion", o.Root.Get("apiVersion"), o.Root.Get("apiVersion"))
	}
	if v := o.Root.Get("metadata", "annotations", tree.FluxGroup+"/reconcile"); v != nil && v.Text == "disabled" {
		add("reconcile", v, v) // the Kustomization that applies it leaves it out
	}
	fields := followed[o.ID.Group][o.ID.Kind]
	for _, f := range spec.Fields {
		switch {
		case s.charts[o.ID] && f.Key == "url":
			// The name of the chart is followed; another registry or owner may have another chart of that name.
			add(f.Key, f.Value, tree.Text(path.Dir(f.Value.Text)))
		case slices.Contains(fields, f.Key), s.charts[o.ID] && f.Key == "ref":
		case f.Key == "sync" && o.ID.Kind == "FluxInstance":
			for _, of := range f.Value.FieldList() {
				if !slices.Contains([]string{"path", "interval", "pullSecret", "name", "provider"}, of.Key) { // the source
					add("sync."+of.Key, of.Value, of.Value)
				}
			}
		case f.Key == "dependsOn":
			if missing, suspended := s.missing(o, f.Value); suspended != "" {
				put("dependsOn", "dependsOn on "+Clip(suspended)+", which is suspended", f.Value, missing)
			} else if len(missing.Items) > 0 {
				add("dependsOn", f.Value, missing)
			}
		case f.Key == "project":
			// A project that goes takes what it allows with it (util/argo/argo.go, GetAppProject).
			known := s.declared[loader.ID{Group: o.ID.Group, Kind: KindAppProject, Namespace: o.ID.Namespace, Name: f.Value.Text}]
			add(f.Key, f.Value, &loader.Value{Shape: loader.List, Items: []*loader.Value{f.Value, {Shape: loader.Bool, Text: strconv.FormatBool(known)}}})
		default:
			add(f.Key, f.Value, f.Value)
		}
	}
	for _, item := range spec.List("dependsOn") {
		if expression := item.Get("readyExpr"); expression != nil {
			add("dependsOn.readyExpr", expression, expression)
		}
	}
	if kept := spec.Get("upgrade", "preserveValues"); kept.IsTrue() {
		add("upgrade.preserveValues", kept, spec.Get("values")) // values that are dropped stay in force
	}
	if strategy := spec.Get("upgrade", "remediation", "strategy"); strategy != nil && strategy.Text == "uninstall" {
		add("upgrade.remediation.strategy", strategy, strategy) // an upgrade that fails takes the release away
	}
	if verify := spec.Get("chart", "spec", "verify"); verify != nil {
		add("chart.spec.verify", verify, verify) // what nobody signed is refused
	}
	s.variables(o, &c, put)
	if ref := spec.Get("chart", "spec", "sourceRef"); ref != nil && (ref.Str("kind") == "GitRepository" || ref.Str("kind") == "Bucket") {
		add("chart.spec.sourceRef", ref, ref) // the chart is looked for in this repository
	}
	if at, why := refused(o); why != "" {
		put("", why, at, nil)
	}
	switch o.ID.Kind {
	case KindApplication:
		applicationSettings(o, add)
	case KindApplicationSet:
		generatorSettings(spec.List("generators"), add)
	}
	slices.SortStableFunc(c.Settings, func(a, b loader.Setting) int { return cmp.Compare(a.Words, b.Words) })
	return c
}

// variables adds what gives variables and values: sources that are not read, and by name those that something may use.
func (s *controlling) variables(o *loader.Object, c *loader.Control, put func(field, words string, at, content *loader.Value)) {
	spec := o.Spec()
	add := func(field, of string, at, content *loader.Value) { put(field, field+" ("+of+")", at, content) }
	define := func(name string, at, content *loader.Value, field, of string) {
		// Something that is not read may use the variable; without it Flux refuses the folder, or leaves the text as it is.
		c.Settings = append(c.Settings, settingOf(name, o.Position(at)))
		if loader.IsCredential(name, content.Text) { // it is filled in nowhere
			add(field, of, at, content)
		}
	}
	for _, f := range spec.Get("postBuild", "substitute").FieldList() {
		define(f.Key, f.Value, f.Value, "postBuild.substitute", Clip(f.Key))
	}
	for _, from := range spec.List("postBuild", "substituteFrom") {
		if unread := s.unread(o, from); unread != nil {
			add("postBuild.substituteFrom", from.Str("kind")+" "+Clip(from.Str("name")), from, unread)
		}
		given := s.given[loader.ID{Kind: from.Str("kind"), Namespace: o.ID.Namespace, Name: from.Str("name")}]
		for _, f := range given.FieldList() {
			define(f.Key, from, f.Value, "postBuild.substituteFrom", Clip(from.Str("name"))+"."+Clip(f.Key))
		}
	}
	for _, from := range spec.List("valuesFrom") {
		// What it says is not in the tree, and without it there is no release (helm-controller internal/controller,
		// reconcileRelease).
		if unread := s.unread(o, from); unread != nil && o.ID.Kind == "HelmRelease" && !s.has(o, from) {
			add("valuesFrom", from.Str("kind")+" "+Clip(from.Str("name")), from, unread)
		}
	}
}

// unread returns what is known of a source of variables that is not read: a Secret, and a ConfigMap that is
// not declared. It is nil for one that is read.
func (s *controlling) unread(o *loader.Object, from *loader.Value) *loader.Value {
	id := loader.ID{Kind: from.Str("kind"), Namespace: o.ID.Namespace, Name: from.Str("name")}
	known, declared := s.sources[id]
	if !declared {
		id.Namespace = ""
		known, declared = s.sources[id]
	}
	if declared && id.Kind == "ConfigMap" {
		return nil
	}
	return &loader.Value{Shape: loader.List, Items: []*loader.Value{from, {Shape: loader.String, Text: known}}}
}

// has reports whether the environment has what a reference names.
func (s *controlling) has(o *loader.Object, from *loader.Value) bool {
	for _, namespace := range []string{o.ID.Namespace, ""} {
		if _, declared := s.sources[loader.ID{Kind: from.Str("kind"), Namespace: namespace, Name: from.Str("name")}]; declared {
			return true
		}
	}
	return false
}

// sourceOf names the source of a Kustomization of Flux.
func sourceOf(o *loader.Object) string {
	ref := o.Spec().Get("sourceRef")
	return ref.Str("kind") + "/" + cmp.Or(ref.Str("namespace"), o.ID.Namespace) + "/" + ref.Str("name")
}

// dependency is the object that an item of dependsOn names.
func dependency(o *loader.Object, item *loader.Value) loader.ID {
	return loader.ID{Group: o.ID.Group, Kind: o.ID.Kind, Namespace: cmp.Or(item.Str("namespace"), o.ID.Namespace), Name: item.Str("name")}
}

// endless returns the objects that wait for each other in a circle, and those that wait for such ones.
func endless(waits map[loader.ID][]loader.ID) map[loader.ID]bool {
	left := map[loader.ID]int{} // how many of those that each one waits for may wait without end
	by := map[loader.ID][]loader.ID{}
	for id, list := range waits {
		for _, next := range list {
			if len(waits[next]) > 0 {
				left[id]++
				by[next] = append(by[next], id)
			}
		}
	}
	var free []loader.ID
	for id := range waits {
		if left[id] == 0 {
			free = append(free, id)
		}
	}
	for len(free) > 0 {
		last := free[len(free)-1]
		free = free[:len(free)-1]
		for _, id := range by[last] {
			if left[id]--; left[id] == 0 {
				free = append(free, id)
			}
		}
	}
	out := map[loader.ID]bool{}
	for id, n := range left {
		if n > 0 {
			out[id] = true
		}
	}
	return out
}

// missing returns the dependencies that the environment does not have, those that wait in a circle, and suspended Kustomizations of
// the same source, which do not get to its revision, with the name of the first of these. A deployer waits for them without end
// (kustomize-controller internal/controller, checkDependencies; helm-controller the same).
func (s *controlling) missing(o *loader.Object, list *loader.Value) (out *loader.Value, suspended string) {
	out = &loader.Value{Shape: loader.List}
	for _, item := range list.Items {
		id := dependency(o, item)
		waits := s.suspended[id] != "" && s.suspended[id] == sourceOf(o)
		if waits {
			suspended = cmp.Or(suspended, id.Name)
		}
		if !s.declared[id] || s.endless[id] || waits {
			out.Items = append(out.Items, &loader.Value{Shape: loader.String, Text: id.String()})
		}
	}
	return out, suspended
}

// generatorSettings adds from where generators read the files and folders of a repository: they are read as they are in
// this one (applicationset/v1alpha1, GitGenerator). Generators may contain others.
func generatorSettings(generators []*loader.Value, add func(field string, at, content *loader.Value)) {
	for _, g := range generators {
		for _, key := range []string{"repoURL", "revision"} {
			if v := g.Get("git", key); v != nil {
				add("generators.git."+key, v, v)
			}
		}
		for _, nested := range []string{"matrix", "merge"} {
			generatorSettings(g.List(nested, "generators"), add)
		}
	}
}

// applicationSettings adds what decides whether and from where Argo CD syncs an Application
// (controller/appcontroller.go, canProcessApp and autoSync).
func applicationSettings(o *loader.Object, add func(field string, at, content *loader.Value)) {
	spec := o.Spec()
	for _, source := range slices.Concat(spec.List("sources"), []*loader.Value{spec.Get("source")}) {
		if source == nil {
			continue
		}
		// Charts are rendered for one version of Kubernetes here (reposerver/repository/repository.go, helmTemplate).
		if v := source.Get("helm", "kubeVersion"); v != nil {
			add("helm.kubeVersion", v, v)
		}
		if source.Get("chart") != nil { // the version of a chart is followed
			continue
		}
		for _, key := range []string{"repoURL", "targetRevision"} {
			if v := source.Get(key); v != nil {
				add(key, v, v)
			}
		}
	}
	// Argo CD refuses an Application that names its cluster twice or not at all (util/argo/argo.go, GetDestinationCluster).
	if to := spec.Get("destination"); to != nil && (to.Str("name") == "") == (to.Str("server") == "") {
		add("destination (name and server)", to, nil)
	}
	policy := spec.Get("syncPolicy")
	if v := policy.Get("automated"); v != nil && (v.Get("enabled") == nil || v.Get("enabled").IsTrue()) {
		add("automated", v, nil)
	}
	if v := policy.Get("managedNamespaceMetadata"); v != nil {
		add("managedNamespaceMetadata", v, v)
	}
	// What is asked for in place of a person is done once, and may be a sync from another source (controller/sync.go, SyncAppState).
	if v := o.Root.Get("operation"); !v.IsNull() {
		add("operation", v, v)
	}
	if v := o.Root.Get("metadata", "annotations", "argocd.argoproj.io/skip-reconcile"); v != nil {
		add("skip-reconcile", v, v)
	}
}
