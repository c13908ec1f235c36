package loader

// Severity of a problem.
type Severity string

// The severities of a problem, worst first.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// UnresolvedSet is the code of the problem that the Applications of an ApplicationSet, or of the chart of another Application, are not known.
const UnresolvedSet = "argocd-generator"

// Unlisted is the code of the problem that nothing applies a manifest, because the kustomization beside it does not list it.
const Unlisted = "unlisted-manifest"

// LimitRun is the code of the problem that something is not rendered because the run reached its
// limit of memory or time.
const LimitRun = "limit-run"

// The codes of problems that something exceeds a bound of its own: what it gives is not known.
const (
	LimitApplications   = "limit-applications"
	LimitFlux           = "limit-flux"
	LimitKustomizations = "limit-kustomizations"
	LimitClusters       = "limit-clusters"
	LimitDefaults       = "limit-defaults"
)

// LimitValidation is the code of the problem that rules of a CRD are not evaluated for an object because they cost too much.
const LimitValidation = "limit-validation"

// MissingBlob is the code of the problem that the repository lacks the content of a file, as a partial clone does.
const MissingBlob = "missing-blob"

// MissingAPIVersion and MissingKind are the codes of the problem that a document is no object, although the rest of it is one of a
// route, a Gateway or a policy. The file is read in full: the object is not there.
const (
	MissingAPIVersion = "missing-api-version"
	MissingKind       = "missing-kind"
)

// AboutNoObject reports whether the problem is about a document that is no object, in a file that is read in full.
func (p *Problem) AboutNoObject() bool { return p.Code == MissingAPIVersion || p.Code == MissingKind }

// NoNamespace is the code of the problem that Flux refuses an object without a namespace, and with it all that the
// Kustomization applies. Its position is that of the object.
const NoNamespace = "flux-namespace-missing"

// Submodule is the code of the problem that a submodule is not read. Its position is the path of the
// submodule.
const Submodule = "submodule"

// The codes of problems for which a deployer applies nothing of what it cannot build or read.
const (
	// YAMLSyntax, DuplicateKey, Encoding and AliasCycle: a file cannot be read.
	YAMLSyntax   = "yaml-syntax"
	DuplicateKey = "duplicate-key"
	Encoding     = "encoding"
	AliasCycle   = "alias-cycle"
	// KustomizeBuild and the others that begin so: a kustomization cannot be built, includes itself, lists what is not there
	// or not below it, has a field or a patch that is wrong, wants a plugin, or is not the only one of its folder.
	KustomizeBuild   = "kustomize-build"
	KustomizeCycle   = "kustomize-cycle"
	KustomizeMissing = "kustomize-missing"
	KustomizeOutside = "kustomize-outside"
	KustomizeField   = "kustomize-field"
	KustomizeInline  = "kustomize-inline"
	KustomizePlugin  = "kustomize-plugin"
	KustomizeFiles   = "kustomize-files"
	// FluxPathMissing: the folder of a Kustomization is not in the tree. FluxPatches: the patches of a FluxInstance do not
	// apply. FluxVariables: variables cannot be filled in. FluxChartMissing: the chart of a HelmRelease is not in the tree.
	FluxPathMissing  = "flux-path-missing"
	FluxPatches      = "flux-patches"
	FluxVariables    = "flux-variables"
	FluxChartMissing = "flux-chart-missing"
	// ArgoPathMissing: the folder of an Application is not in the tree. ArgoTypes: its source is of several types.
	// ArgoValuesMissing: a file of its values is not in the tree, or the source that should have it. The others are about an
	// ApplicationSet: it makes several Applications of one name, or a generator or its template fails.
	ArgoPathMissing    = "argocd-path-missing"
	ArgoTypes          = "argocd-types"
	ArgoValuesMissing  = "argocd-values-missing"
	ArgoNameTwice      = "argocd-name-twice"
	ArgoGeneratorFails = "argocd-generator-fails"
	ArgoTemplate       = "argocd-template"
	// HelmChart: a chart cannot be read. HelmRender and AppTemplate: it cannot be rendered with its values. HelmValuesMissing:
	// values come from a ConfigMap that has none there, or none that can be read; the release is rendered without them.
	// HelmValuesAbsent: values come from a ConfigMap or a file that is not in the tree. Where it was there before, the release
	// stays as it was.
	HelmChart         = "helm-chart"
	HelmRender        = "helm-render"
	AppTemplate       = "app-template"
	HelmValuesMissing = "helm-values-missing"
	HelmValuesAbsent  = "helm-values-absent"
)

// Problem is something that could not be read or rendered. It does not affect the results of other
// files. Errors and warnings make the environments that they concern incomplete; notes do not.
type Problem struct {
	Severity Severity
	// Code is a stable kebab-case word, such as yaml-syntax or limit-depth.
	Code     string
	Position Position
	// Message describes what is wrong, Hint what to do; lower case, no full stop. Subject is the beginning of a message that
	// names the object it is about, if others may have the same problem at the same place.
	Message, Hint, Subject string
	// Part is what the run left out, in words, if the code is LimitRun.
	Part string
	// Release is the name of the object that installs the release which a problem is about: a HelmRelease or an Application.
	Release string
	// Environments are the names of those that it makes incomplete; empty means
	// all of them.
	Environments []string
}
