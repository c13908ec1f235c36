package catalogue

import "strings"

// Entry describes one policy kind as data: how its policies attach, which levels it has, how
// specs merge and which policy loses a conflict. The built-in catalogue, the config's `kinds:`
// and kinds derived from CRDs all have this shape.
type Entry struct {
	ID         string   `json:"id,omitempty"`
	Profile    string   `json:"profile,omitempty"`
	Group      string   `json:"group"`
	Kind       string   `json:"kind"`
	Versions   []string `json:"versions,omitempty"`
	Scope      string   `json:"scope,omitempty"`
	CRDLabel   *string  `json:"crdLabel,omitempty"`
	Class      string   `json:"class,omitempty"`
	Family     string   `json:"family,omitempty"`
	Removed    string   `json:"removed,omitempty"`
	Deprecated string   `json:"deprecated,omitempty"`
	Since      string   `json:"since,omitempty"`

	Target TargetEntry `json:"target"`
	// Ancestors selects the ancestors in the status, if they differ from those that the
	// implementation writes: target is the declared target itself, routed the same but only if a
	// route leads to it.
	Ancestors string `json:"ancestors,omitempty"`
	// Controllers are prefixes of the controllerNames whose Gateways the kind's
	// policies reach by namespace or labels; none means any.
	Controllers Controllers `json:"controllers,omitempty"`
	// Levels are the levels that the kind has, from least to most specific; none means all.
	// Effective are the levels whose targets the policies affect.
	Levels    []string `json:"levels,omitempty"`
	Effective []string `json:"effective,omitempty"`
	// EffectiveKinds limits the effective targets to objects of these kinds and their parts;
	// none means any kind.
	EffectiveKinds []string `json:"effectiveKinds,omitempty"`

	Spec  SpecEntry  `json:"spec"`
	Merge MergeEntry `json:"merge"`
	// Order sorts the policies of one level: creationTimestamp, namespace,
	// name, spec.FIELD, annotation:NAME; "-" in front for descending.
	Order []string `json:"order,omitempty"`
	Into  []Into   `json:"into,omitempty"`

	// ControllerDefaults are the values that the controller uses for fields which neither a policy nor
	// the target sets.
	ControllerDefaults []ControllerDefault `json:"controllerDefaults,omitempty"`

	// Values are fields of which only some values are supported.
	Values []ValueEntry `json:"values,omitempty"`
	// Backends are the paths of backendRefs in policies, single ones or lists; * is any
	// list item.
	Backends []string `json:"backends,omitempty"`
	// BrokenBackends is the reason with which a policy is rejected if one of its backends cannot
	// be used. The policy still holds its targets: no other policy takes effect in its place.
	BrokenBackends string `json:"brokenBackends,omitempty"`
	// CheckedDetached are the fields whose backends and objects are checked even if no listener
	// allows the target route. Nil means all fields. CheckedWithTLS are those that are checked only
	// if a listener at the target terminates TLS.
	CheckedDetached []string `json:"checkedDetached,omitempty"`
	CheckedWithTLS  []string `json:"checkedWithTLS,omitempty"`
	// CheckedWithHTTP are those that are checked only if a listener at the target is for HTTP; all others then are if one is not
	// for UDP. Nil means no such difference.
	CheckedWithHTTP []string `json:"checkedWithHTTP,omitempty"`
	// AppliedFirst are the fields that the controller applies to such an HTTP listener before it finds that one of
	// CheckedWithTLS cannot be used. Of the others, nothing applies there.
	AppliedFirst []string `json:"appliedFirst,omitempty"`
	// Required are fields without which a policy is rejected.
	Required []RequiredEntry `json:"required,omitempty"`
	// Texts are texts that the controller refuses unless they are what it reads them as.
	Texts []TextEntry `json:"texts,omitempty"`
	// Refusals names the function of package refusal that finds what the controller refuses where
	// fields depend on each other. Refused is the reason with which it does so.
	Refusals string `json:"refusals,omitempty"`
	Refused  string `json:"refused,omitempty"`
	// Features are features of the controller that fields need and that its own configuration may switch off.
	Features []FeatureEntry `json:"features,omitempty"`
	// Clashes are fields that the controller takes and its proxy refuses together.
	Clashes []ClashEntry `json:"clashes,omitempty"`
	// FailOpen are paths of fields that, if true, let requests pass when a backend or object
	// that is named in the same map or below it cannot be used.
	FailOpen []string `json:"failOpen,omitempty"`
	// References are objects that policies refer to and require.
	References []ObjectReference `json:"references,omitempty"`
	// Draws are references to objects that hold more of the policies' settings.
	Draws []DrawEntry `json:"draws,omitempty"`

	Protects []Protection `json:"protects,omitempty"`
	// Programs are the fields whose effect on requests is not computed.
	Programs []Program `json:"programs,omitempty"`
	// Names are the fields that name entries of the same policy.
	Names []Naming `json:"names,omitempty"`
	// Answers are the fields by which the Gateway itself answers requests.
	Answers []AnswerEntry `json:"answers,omitempty"`
	// Settings are what settings are called in sentences, by the end of a path or, after a slash, all of it. They come before
	// the words that all kinds share.
	Settings map[string]string `json:"settings,omitempty"`
	Secrecy

	Shapes map[string]Shape  `json:"shapes,omitempty"`
	Status map[string]string `json:"status,omitempty"`
	// Judged selects the scope of the status words enforced, partial and overridden: all that a
	// policy reaches (all, the default), or each merge separately, of which the worst result
	// counts (merges).
	Judged string `json:"judged,omitempty"`

	Departs string `json:"departs,omitempty"`
	Note    string `json:"note,omitempty"`
	// NotFollowed lists behaviour of the controller that the entry cannot express, so that the
	// computed result may differ.
	NotFollowed []string `json:"notFollowed,omitempty"`
	Verified    string   `json:"verified,omitempty"`
	Source      []string `json:"source,omitempty"`
}

// FilterFamily is the family of kinds whose objects are filters of rules, and not policies.
const FilterFamily = "filter"

// Secrecy lists the paths of values that are secret, or public, regardless of their field names.
type Secrecy struct {
	Public []string `json:"public,omitempty"`
	Secret []string `json:"secret,omitempty"`
	// Named are the paths of maps whose keys users choose. Such a key does not indicate whether
	// the value below it is secret.
	Named []string `json:"-"`
}

// TargetEntry says how policies name their targets.
type TargetEntry struct {
	Refs []RefEntry `json:"refs,omitempty"`
	// Allowed lists GROUP/KIND, with ":listener", ":rule" or ":port" if a sectionName is
	// allowed, and "@root" if only policies of the root namespace may target the kind. "*" is
	// any kind, and so is an empty list.
	Allowed []string `json:"allowed,omitempty"`
	// Namespace limits the namespace of targets: same (default), same+grant (selectors may
	// select in other namespaces with a ReferenceGrant), field (the reference may name a
	// namespace, with a ReferenceGrant), free (the same without a grant) or cluster.
	Namespace Scope `json:"namespace,omitempty"`
	// None defines the target of a policy that names none: namespace is its whole Namespace or,
	// for a policy in the Root namespace, every Namespace. Empty means no target.
	None string `json:"none,omitempty"`
	// Root is the namespace whose policies reach other namespaces. RootReach limits what these
	// policies select by labels and by GatewayClass: all (default), own (only in their own
	// namespace) or none.
	Root      string `json:"root,omitempty"`
	RootReach Reach  `json:"rootReach,omitempty"`
	// Inert are protocols of listeners on which a policy that targets them has no effect.
	Inert []string `json:"inert,omitempty"`
	// Bound is the label of a backend, or otherwise of its Namespace, that binds it to a proxy.
	// Only that proxy applies policies that target the backend. The value none counts as no
	// proxy.
	Bound string `json:"bound,omitempty"`
	// Opens is the label of a backend, or otherwise of its Namespace, that sends requests from Gateways
	// through the proxy to which it is bound. Without it, they go past the proxy and its policies.
	Opens string `json:"opens,omitempty"`
	// Reaches are kinds outside the hierarchy, as GROUP/KIND, whose objects a policy on their
	// Namespace affects.
	Reaches []string `json:"reaches,omitempty"`
	// Selecting are targets, as GROUP/KIND, that only select pods: these remain, unprotected, when such an object goes.
	Selecting []string `json:"selecting,omitempty"`
	// Classes are the only GatewayClasses that policies may target; none means any.
	Classes []string `json:"classes,omitempty"`
	// ByMerging means that a GatewayClass is a target only where its parameters merge its Gateways, and a Gateway only where
	// they do not.
	ByMerging bool `json:"byMerging,omitempty"`
	// SharedPaths is the reason with which a policy on a route is rejected if a route that it
	// does not target shares a path with it at the same Gateway, hostname and port.
	SharedPaths string `json:"sharedPaths,omitempty"`
	// SharedPorts is the reason with which a policy is rejected at a listener or ListenerSet if a
	// plain HTTP listener outside it shares its port.
	SharedPorts string `json:"sharedPorts,omitempty"`
	// SharedRules is the reason with which a policy is rejected at a backend if a route rule
	// lists the backend together with one that does not have the policy.
	SharedRules string `json:"sharedRules,omitempty"`
	// Parameter is a setting of the Gateway above a target that must be in force for the policy, nil for none.
	Parameter *ParameterEntry `json:"parameter,omitempty"`
	// UnnamedRules is the pattern of section names for rules without a name, such as rule-%d; %d
	// is the position of the rule in its route, counted from 1.
	UnnamedRules string `json:"unnamedRules,omitempty"`
	// Via names the field of the target that refers to the policy.
	Via string `json:"via,omitempty"`
}

// Only is a field that policies may set only for targets of some kinds.
type Only struct {
	// Field is a path of the spec, or PATH=VALUE.
	Field string `json:"field"`
	// Kinds are the kinds of targets that allow the field; none means all.
	Kinds []string `json:"kinds,omitempty"`
	// Whole means that a section does not allow the field.
	Whole bool `json:"whole,omitempty"`
	// Held means that the controller refuses the policy after it has taken the target, so that no other policy takes
	// effect there. Else the API server refuses it.
	Held bool `json:"held,omitempty"`
}

// RefEntry is one field that holds target references.
type RefEntry struct {
	Path string `json:"path"`
	// Form is one, list, selectors (targetSelectors), parents (a list that counts only if no
	// target is named, for a policy that attaches as a route does), name-or-labels (a name or,
	// without one, a label selector, for objects of Group and Kind), workload-selector (a map of
	// pod labels), extension-ref (a filter of a route rule names the policy), reverse-annotation
	// (an annotation of the target names it; Path is annotation:NAME) or host (the name of a
	// Service or of a host of the mesh, or * and a suffix for all hosts that end with it).
	Form string `json:"form"`
	// Section is the field with the section name, or with a list of section names.
	Section string `json:"section,omitempty"`
	// Port is the field with the number of a port: of a Gateway without a section, the listeners with that port are meant.
	Port string `json:"port,omitempty"`
	// Namesakes means that a section of a Gateway is also the listener of that name in each of its ListenerSets.
	Namesakes bool `json:"namesakes,omitempty"`
	// Group and Kind are the defaults for references without them.
	Group string `json:"group,omitempty"`
	Kind  string `json:"kind,omitempty"`
	// Object is the field of an item that contains the reference. Ports is the field of a list
	// in the same item; its items name sections by port.
	Object string `json:"object,omitempty"`
	Ports  string `json:"ports,omitempty"`
	// Across is the sign after a namespace in an annotation that may name policies of other
	// namespaces, with a ReferenceGrant there. Behind is the kind of the same group whose object
	// of the same name, in the namespace meant, is taken instead of a cluster-scoped policy.
	Across string `json:"across,omitempty"`
	Behind string `json:"behind,omitempty"`
	// Ignores means that a section is ignored at a target of a kind that has none.
	Ignores bool `json:"ignores,omitempty"`
	// Lacking means that an object that a selector selects although it lacks the section is a target, of which the section is
	// missing. Without it the selector does not select the object.
	Lacking bool `json:"lacking,omitempty"`
	// Numbers means that a section of a Service is a port number, not a port name.
	Numbers    bool `json:"numbers,omitempty"`
	Deprecated bool `json:"deprecated,omitempty"`
}

// SpecEntry says which part of a spec is the spec proper.
type SpecEntry struct {
	// Common fields are stripped before merging.
	Common []string `json:"common,omitempty"`
	Bodies []Body   `json:"bodies,omitempty"`
	Proper []string `json:"proper,omitempty"`
	// Empty is the field whose absence makes a policy count as absent, Disabled the one that makes it
	// count as absent if it is true.
	Empty    string `json:"empty,omitempty"`
	Disabled string `json:"disabled,omitempty"`
	// Root means that policies have no field spec: the fields of the object itself are the spec,
	// except apiVersion, kind, metadata and status.
	Root bool `json:"root,omitempty"`
	// Under is a field whose value names the spec: in the spec proper all fields count below that
	// name, so that policies with different names do not meet.
	Under string `json:"under,omitempty"`
	// Unset are words PATH=VALUE: a field with that value counts as absent.
	Unset []string `json:"unset,omitempty"`
	// Only are the fields that not every target allows. The API server rejects a policy that
	// sets one for another target.
	Only []Only `json:"only,omitempty"`
	// Defaults are the default values of the CRD, by path. They apply to policies that merge
	// field by field, where they win over less specific policies. If the CRD is in the input,
	// its own defaults apply first.
	Defaults map[string]any `json:"defaults,omitempty"`
	// DryRun is the annotation that, if true, makes the controller evaluate a policy without
	// effect.
	DryRun string `json:"dryRun,omitempty"`
	// Typed means that nulls and empty lists count as absent, because the controller decodes
	// specs into typed structures. Kept are the paths at or below which they count as written.
	Typed bool     `json:"typed,omitempty"`
	Kept  []string `json:"kept,omitempty"`
}

// ControllerDefault is the value that the controller, or its data plane, uses for a field that is not
// set. With In, it counts only if that map is set; with Kinds or Protocols, only at targets of these
// kinds and listeners of these protocols.
type ControllerDefault struct {
	Path      string   `json:"path"`
	Value     any      `json:"value"`
	In        string   `json:"in,omitempty"`
	Kinds     []string `json:"kinds,omitempty"`
	Protocols []string `json:"protocols,omitempty"`
	// Also are other names of the items of Value, if that is a list.
	Also []string `json:"also,omitempty"`
	// Source is where it is written: one of the entry's sources, file and line.
	Source string `json:"source"`
}

// RequiredEntry is a field without which a policy is rejected with Reason if it sets the map In,
// unless the map's field Unless, or its default if it is not set, has one of Values. The policy still
// holds its targets.
type RequiredEntry struct {
	In     string   `json:"in"`
	Field  string   `json:"field"`
	Unless string   `json:"unless,omitempty"`
	Values []string `json:"values,omitempty"`
	Reason string   `json:"reason"`
}

// FeatureEntry is a field, In, that needs a feature of package feature. Where the controller has not got it, the policy is
// rejected with Reason. It still holds its targets.
type FeatureEntry struct {
	In     string `json:"in"`
	Needs  string `json:"needs"`
	Reason string `json:"reason"`
}

// ClashEntry lists fields that the proxy does not accept together: it refuses what the controller makes of a listener
// if the effective policies of the HTTPS listeners of one port set all of them. Then says what happens to the listener.
// A field that is false counts as not set.
type ClashEntry struct {
	Fields []string `json:"fields"`
	Then   string   `json:"then"`
}

// TextEntry is a text that has to be something: Field of each map at In, a path in which * is each item of a list, or annotation:NAME
// for an annotation; with Type, only where the field type has that value. With Reason the policy is rejected and still holds its targets, without it is as if it
// were not there.
type TextEntry struct {
	In     string   `json:"in"`
	Field  string   `json:"field"`
	Type   string   `json:"type,omitempty"`
	Is     TextForm `json:"is"`
	Reason string   `json:"reason,omitempty"`
	// First are the kinds of target for which the text is judged before the policy is merged with another one.
	First []string `json:"first,omitempty"`
}

// TextForm is what a text has to be.
type TextForm string

// The forms of texts.
const (
	Expression TextForm = "expression" // a regular expression of Go
	CEL        TextForm = "cel"
	Address    TextForm = "address"
	Block      TextForm = "block"   // a block of addresses, such as 10.0.0.0/8
	Integer    TextForm = "integer" // one of 32 bits
	Network    TextForm = "network" // an address, or a block of addresses that begins with the one written: not 10.1.0.0/8
)

// Body is one place that may contain a spec proper.
type Body struct {
	Path string `json:"path"`
	// Direction is defaults or overrides.
	Direction Direction `json:"direction,omitempty"`
	// Strategy is the path of the field that chooses the strategy, or =VALUE.
	Strategy string `json:"strategy,omitempty"`
}

// MergeEntry says how specs merge between levels and at one level.
type MergeEntry struct {
	Levels LevelMerge `json:"levels"`
	Same   SameMerge  `json:"same"`
	Units  []string   `json:"units,omitempty"`
	// OneOf are groups of paths that are alternative names of one field: a policy that sets one
	// of them sets them all.
	OneOf [][]string `json:"oneOf,omitempty"`
	// Exclusive are groups of paths of which a merged spec may have one. The controller refuses a
	// merge that has more.
	Exclusive [][]string `json:"exclusive,omitempty"`
	// FallsThrough are paths whose value comes from the next less specific policy if a policy
	// does not set them, although the rest of its spec counts as a whole.
	FallsThrough []string `json:"fallsThrough,omitempty"`
	// Accumulate are paths at which the values of all policies count, side by side.
	Accumulate []string `json:"accumulate,omitempty"`
	// Resets are paths that a policy clears if it sets the enclosing object without them.
	Resets []string    `json:"resets,omitempty"`
	Lists  []ListEntry `json:"lists,omitempty"`
	// Settle names a function of package settle that adapts the merged spec to a target, for
	// kinds whose rule the other fields cannot express.
	Settle string `json:"settle,omitempty"`
	// Yields are the fields that have no effect if the target has policies of another kind, or
	// if the target itself sets the same.
	Yields []Yield `json:"yields,omitempty"`
}

// LevelMerge is the merge between levels.
type LevelMerge struct {
	Algorithm string `json:"algorithm,omitempty"`
	// Direction is defaults, overrides, from-body (the body that a policy uses) or
	// from-mode (a field of the policy).
	Direction Direction `json:"direction,omitempty"`
	Mode      *Mode     `json:"mode,omitempty"`
	// Hops is all, closest (only the closest less specific policy merges), nil (levels do not
	// merge) or object (nothing passes from one object to another, but policies of the root
	// namespace, of the Namespace and of the object itself merge).
	Hops   Hops    `json:"hops,omitempty"`
	Select *Select `json:"select,omitempty"`
	Skip   []Skip  `json:"skip,omitempty"`
	// Inherit defines how the policies of a route that delegates requests merge with those of
	// the route that receives them.
	Inherit *Inherit `json:"inherit,omitempty"`
	// Beside are the paths at which values from above a route and from the route itself both
	// count. Finer are additional units that apply only to the merge of these two.
	Beside []Beside `json:"beside,omitempty"`
	Finer  []string `json:"finer,omitempty"`
}

// Beside is a path at which a proxy keeps values of both sides. With By, it keeps values that
// name different objects in that field; without By, it keeps those of all policies.
type Beside struct {
	Path string `json:"path"`
	By   string `json:"by,omitempty"`
	// Mutes is the field of a value that disables the other values at the path.
	Mutes string `json:"mutes,omitempty"`
}

// Select names the field that chooses an algorithm.
type Select struct {
	Field string `json:"field"`
	// At defines whose field counts: less-specific (the GEP's rule) or more-specific.
	At     string            `json:"at"`
	Values map[string]string `json:"values"`
	// Kinds limits the choice: routes-only means policies on routes.
	Kinds string `json:"kinds,omitempty"`
	// Unknown is the reason with which the controller refuses a policy that chooses none of Values
	// and has a policy above to merge with. The policy above is then in force.
	Unknown string `json:"unknown,omitempty"`
}

// Mode names the field of the less specific policy that chooses the direction.
type Mode struct {
	Field string `json:"field"`
	// Values maps the field's value to defaults or overrides; the empty key means an absent
	// field.
	Values map[string]Direction `json:"values"`
}

// Inherit names the annotation of a route that decides whether its policies win over those of
// the routes to which it delegates requests.
type Inherit struct {
	Annotation string `json:"annotation"`
	// Values maps the annotation's value to defaults (the other route wins) or overrides. The
	// empty key means a missing or unknown value.
	Values map[string]Direction `json:"values"`
}

// Skip names a pair of levels that never merge with each other.
type Skip struct {
	From string `json:"from"`
	Over string `json:"over"`
}

// SameMerge is the merge of policies at one level.
type SameMerge struct {
	Algorithm string `json:"algorithm,omitempty"`
	// Tie is oldest (the older policy wins), newest-target (the older policy counts as the less
	// specific one), ordered or undefined.
	Tie Tie `json:"tie,omitempty"`
	// RejectScope is what the loser of a conflict loses: that target (target, the default) or
	// all of its targets (policy).
	RejectScope string `json:"rejectScope,omitempty"`
	// First are the levels at which only the first policy counts and the others are ignored.
	First []string `json:"first,omitempty"`
}

// ListEntry is a list that does not merge as one value.
type ListEntry struct {
	Path   string `json:"path"`
	Key    string `json:"key,omitempty"`
	Concat bool   `json:"concat,omitempty"`
	// Slot is a field. The items without it together are one value. Only the winner's value
	// counts, even if the winner has none.
	Slot string `json:"slot,omitempty"`
}

// ValueEntry is a field that supports only some values. With any other value the policy is
// Invalid.
type ValueEntry struct {
	Path      string   `json:"path"`
	Supported []string `json:"supported"`
}

// ParameterEntry is a setting in the parameters of a Gateway or of its class, by which alone a policy is accepted.
type ParameterEntry struct {
	// Path is dotted, from the root of the object.
	Path string `json:"path"`
	// Value is what must be there, empty for anything.
	Value string `json:"value,omitempty"`
	// Optional means that a Gateway without parameters does not matter.
	Optional bool `json:"optional,omitempty"`
	// Reason is that of a target whose Gateway does not have it.
	Reason string `json:"reason"`
}

// ObjectReference describes a list of references from a policy to objects in its own namespace.
type ObjectReference struct {
	// Path is the path of the list.
	Path string `json:"path"`
	// Kinds are the kinds that may be named, as GROUP/KIND. If the implementation lists kinds
	// for certificates of authorities, those apply instead.
	Kinds []string `json:"kinds,omitempty"`
	// Missing and WrongKind are reasons of the ResolvedRefs condition. NoneValid is the reason
	// of Accepted if no reference is valid.
	Missing   string `json:"missing"`
	WrongKind string `json:"wrongKind"`
	NoneValid string `json:"noneValid,omitempty"`
}

// Into maps a policy path to a path in the effective target's own fields (older GEP, "Merging
// into existing spec fields"). With Each, Object is relative to each item of the list at Each.
// EmptyIsUnset means that an empty value of the object counts as unset.
type Into struct {
	Path         string `json:"path"`
	Object       string `json:"object"`
	Each         string `json:"each,omitempty"`
	EmptyIsUnset bool   `json:"emptyIsUnset,omitempty"`
}

// Protection is a field whose loss is a loss of protection.
type Protection struct {
	// Path is dotted; * is any key or list item, {A,B} either key.
	Path string `json:"path"`
	// What is authentication, authorisation, tls, limits, headers, or exposure: from where the target can be reached.
	What string `json:"what"`
	// Loosens is the edit that weakens protection: removed (the field goes and its parent
	// stays), gone (the field goes in any case), added, higher, lower, changed; or admits: an
	// added item lets requests in and a removed one no longer does, as long as the list at the
	// first step of the path exists.
	Loosens Loosening `json:"loosens"`
	// Opens is true if everybody gets in with the added field, or if the protection does nothing any more.
	Opens bool `json:"opens,omitempty"`
	// Needed is true if clients rely on what the added field admits: without it, requests are refused that were served.
	Needed bool `json:"needed,omitempty"`
	// Within is the closest protection around the field, which another row describes: without that protection the field
	// has no effect. Alternative is true if that protection is an item of a list in which one item is enough.
	Within      string `json:"-"`
	Alternative bool   `json:"-"`
	// Order lists words from the weakest to the strongest.
	Order []string `json:"order,omitempty"`
	// Lets are the words of Order with which requests without credentials get in.
	Lets []string `json:"lets,omitempty"`
	// Optional is true if the protection refuses bad credentials or some senders alone: a request without credentials gets in.
	Optional bool `json:"optional,omitempty"`
	// OnlyIf is the path of conditions: with any, the protection is not asked of every request.
	OnlyIf string `json:"onlyIf,omitempty"`
	// Unless names a value, PATH=VALUE or PATH=VALUE|VALUE, with which the field protects nothing, such as an
	// authorisation that allows everybody.
	Unless string `json:"unless,omitempty"`
	// Ways names a value, PATH=VALUE, of an item that is a way in: beside another such item it admits more, and without one it
	// protects. A value that is not set is VALUE.
	Ways string `json:"ways,omitempty"`
	// Except is a key that a * at the end of the path does not match: an item that disables
	// others.
	Except string `json:"except,omitempty"`
	// Unset defines the meaning of a mode field that a spec omits, as a list. The first other
	// field in it with a word of Order applies, unless the parent of the omitted field exists.
	// Otherwise an item =WORD applies. None is the word if there is no policy at all.
	Unset []string `json:"unset,omitempty"`
	None  string   `json:"none,omitempty"`
	// Usual is the value that applies if the field is not set and its parent exists. For a field at the top of the spec
	// it applies whenever the field is not set. Setting another value counts as an edit of this one.
	Usual string `json:"usual,omitempty"`
	// Perhaps are two words of Order. Whether the later one protects more depends on what is behind the target.
	Perhaps []string `json:"perhaps,omitempty"`
	// Instead is a field that protects in the place of this one where this one is not set.
	Instead string `json:"instead,omitempty"`
	// Bare is true if what contains a mode field protects nothing by itself: the field counts where that comes with it.
	Bare bool `json:"bare,omitempty"`
	// Per is the field next to an amount that holds its period, Of the field next to a period that holds its amount: if
	// both change, the rates are compared.
	Per string `json:"per,omitempty"`
	Of  string `json:"of,omitempty"`
	// Zero is true for a number of which 0 is no limit.
	Zero bool `json:"zero,omitempty"`
	// Size is true for a size of NGINX: 8k, 10m and 1g are powers of 1024.
	Size bool `json:"size,omitempty"`
	// Rules is the form of the rules in a list whose edits are compared by what the rules match: istio-allow, istio-deny or
	// envoy-gateway. An edit of which nothing is proven loosens as the row says.
	Rules RuleForm `json:"rules,omitempty"`
}

// Program is a field whose effect on requests is not computed: code, an expression, or a patch of the proxy's
// configuration. What it does may be anything from another header to another answer.
type Program struct {
	// Path is dotted, with * for any key or list item and {A,B} for either key.
	Path string `json:"path"`
	// Is says what the field holds, such as a Lua program.
	Is string `json:"is"`
	// Rewrites is true if the program changes only what backends get, so that it cannot let a request in.
	Rewrites bool `json:"rewrites,omitempty"`
	// Traced is true if it is followed for a single request, so that only what a change of it does to all requests is
	// not computed.
	Traced bool `json:"traced,omitempty"`
}

// AnswerEntry is a field with which the Gateway itself answers requests, instead of a backend.
type AnswerEntry struct {
	// Path is dotted, with * for any key or list item and {A,B} for either key.
	Path string `json:"path"`
	// Status is the field below it with the status; Otherwise is the status without it, and empty if there is then no
	// answer.
	Status    string `json:"status,omitempty"`
	Otherwise string `json:"otherwise,omitempty"`
	// Share is the field below it with the percentage of requests that it answers; without one it answers all. Unless
	// is a field below it, or of the spec if it begins with a slash, with which it answers only some requests.
	Share  string   `json:"share,omitempty"`
	Unless []string `json:"unless,omitempty"`
	// Scheme is the field below it with the scheme to which it redirects: it answers only at listeners of another one.
	Scheme string `json:"scheme,omitempty"`
	// Only and Passes are values below it, PATH=VALUE or PATH=VALUE|VALUE with * in PATH for any item: it answers only with one of
	// the former, and with none of the latter.
	Only   string   `json:"only,omitempty"`
	Passes []string `json:"passes,omitempty"`
	// Without names a field of the items. The Gateway answers if there are items and the field is absent or empty in
	// all of them, for example if all lists of what is allowed are empty.
	Without string `json:"without,omitempty"`
}

// Shape is what differs in one version of a kind.
type Shape struct {
	Target *TargetEntry `json:"target,omitempty"`
}

// KindNames are the names of the kinds that may be referred to.
func (e ObjectReference) KindNames() []string {
	out := make([]string, 0, len(e.Kinds))
	for _, word := range e.Kinds {
		_, kind, _ := strings.Cut(word, "/")
		out = append(out, kind)
	}
	return out
}
