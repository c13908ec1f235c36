package policy

// Entry is one policy kind as data: how its policies attach, which levels it
// has, how its specs merge and who loses. The built-in catalogue, the config's
// `kinds:` and kinds derived from CRDs all have this shape.
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
	// Ancestors says whose the ancestors of the status are, where they are not those
	// that the implementation has: target is the declared target itself, routed the
	// same if a route leads there.
	Ancestors string `json:"ancestors,omitempty"`
	// Controllers are prefixes of the controllerNames whose Gateways the kind's
	// policies reach by namespace or labels; none means any.
	Controllers Controllers `json:"controllers,omitempty"`
	// Levels are those that the kind has, least to most specific; none means
	// all of them. Effective are the levels whose targets it augments.
	Levels    []string   `json:"levels,omitempty"`
	Siblings  [][]string `json:"siblings,omitempty"`
	Effective []string   `json:"effective,omitempty"`
	// EffectiveKinds are the only kinds that the effective targets are of, or parts of;
	// none means any.
	EffectiveKinds []string `json:"effectiveKinds,omitempty"`

	Spec  SpecEntry  `json:"spec"`
	Merge MergeEntry `json:"merge"`
	// Order sorts the policies of one level: creationTimestamp, namespace,
	// name, spec.FIELD, annotation:NAME; "-" in front for descending.
	Order []string `json:"order,omitempty"`
	Into  []Into   `json:"into,omitempty"`

	// Values are fields of which only some values are supported.
	Values []ValueEntry `json:"values,omitempty"`
	// Backends are the paths of backendRefs in policies, single ones or lists; * is any
	// list item.
	Backends []string `json:"backends,omitempty"`
	// BrokenBackends is the reason for which a policy with a backend that cannot be
	// used is rejected. It keeps its targets all the same: nothing takes its place.
	BrokenBackends string `json:"brokenBackends,omitempty"`
	// FailOpen are paths of fields that, if true, let requests pass where a backend or
	// object that is named beside or below them cannot be used.
	FailOpen []string `json:"failOpen,omitempty"`
	// References are objects that policies refer to and cannot do without.
	References []ObjectReference `json:"references,omitempty"`
	// Draws are references to objects that say more of what policies set.
	Draws []DrawEntry `json:"draws,omitempty"`

	Protects []Protection `json:"protects,omitempty"`
	Secrecy

	Shapes map[string]Shape  `json:"shapes,omitempty"`
	Status map[string]string `json:"status,omitempty"`
	// Judged says over what the words enforced, partial and overridden of the status
	// are judged: all that a policy reaches (default), or merges, each apart, of
	// which the worst counts.
	Judged string `json:"judged,omitempty"`

	Departs string `json:"departs,omitempty"`
	Note    string `json:"note,omitempty"`
	// NotFollowed tells what of the controller's ways the entry cannot say, so that
	// what is computed may differ.
	NotFollowed []string `json:"notFollowed,omitempty"`
	Verified    string   `json:"verified,omitempty"`
	Source      []string `json:"source,omitempty"`
}

// Secrecy are the paths of values that are secrets, or are none, whatever their
// names say.
type Secrecy struct {
	Public []string `json:"public,omitempty"`
	Secret []string `json:"secret,omitempty"`
	// Named are the paths of maps whose keys users choose: such a key tells nothing of what
	// is below it.
	Named []string `json:"-"`
}

// TargetEntry says how policies name their targets.
type TargetEntry struct {
	Refs []RefEntry `json:"refs,omitempty"`
	// Allowed lists GROUP/KIND, with ":listener", ":rule" or ":port" where a
	// sectionName is allowed, and "@root" where that takes a policy of the root
	// namespace; "*" is any kind. None means any kind.
	Allowed []string `json:"allowed,omitempty"`
	// Namespace is same (default), same+grant (selectors may cross with a
	// ReferenceGrant), field (a namespace in the reference, with a
	// ReferenceGrant), free (the same without one) or cluster.
	Namespace Scope `json:"namespace,omitempty"`
	// None says what a policy that names no target means: namespace is its whole
	// Namespace, or, in the Root namespace, all of them. Empty: nothing.
	None string `json:"none,omitempty"`
	// Root is the namespace whose policies reach the others; RootReach is how far they
	// do by labels and by GatewayClass: all (default), own (what is in their own
	// namespace) or none.
	Root      string `json:"root,omitempty"`
	RootReach Reach  `json:"rootReach,omitempty"`
	// Inert are the protocols of listeners that take nothing from a policy which names
	// them.
	Inert []string `json:"inert,omitempty"`
	// Bound is the label of a backend, or else of its Namespace, by which it has
	// something that applies the policies which name it; the value none counts as none.
	Bound string `json:"bound,omitempty"`
	// Reaches are the kinds outside the hierarchy, GROUP/KIND, whose objects a policy on
	// their Namespace reaches.
	Reaches []string `json:"reaches,omitempty"`
	// Classes are the only GatewayClasses that policies may target; none means any.
	Classes []string `json:"classes,omitempty"`
	// SharedPaths is the reason for which a policy on a route is rejected when a route
	// that it does not target has a path of it at the same Gateway, hostname and port.
	SharedPaths string `json:"sharedPaths,omitempty"`
	// SharedRules is the reason for which a policy is rejected at a backend that
	// stands in a route's rule beside one without the policy.
	SharedRules string `json:"sharedRules,omitempty"`
	// UnnamedRules is the name by which the Nth rule without a name can be targeted,
	// such as rule-%d, counted from 1.
	UnnamedRules string `json:"unnamedRules,omitempty"`
	// Via names a reference of the target that points at the policy.
	Via string `json:"via,omitempty"`
}

// Only is a field that targets of some kinds alone may be given.
type Only struct {
	// Field is a path of the spec, or PATH=VALUE.
	Field string `json:"field"`
	// Kinds are the kinds of targets that may have it, all if there are none.
	Kinds []string `json:"kinds,omitempty"`
	// Whole says that no section may have it.
	Whole bool `json:"whole,omitempty"`
}

// RefEntry is one field that holds target references.
type RefEntry struct {
	Path string `json:"path"`
	// Form is one, list, selectors (targetSelectors), parents (a list that counts where no
	// target is named: a policy that attaches as a route does), name-or-labels (a name, or else a
	// label selector, for objects of Group and Kind), workload-selector (a map of pod
	// labels), extension-ref (a filter of a route's rule names the policy),
	// reverse-annotation (an annotation of the target does; Path is annotation:NAME) or
	// host (the name of a Service or of a host of the mesh, or * and the end of many).
	Form string `json:"form"`
	// Section is the field of the section's name, or of a list of them.
	Section string `json:"section,omitempty"`
	// Group and Kind are meant where the reference has none.
	Group string `json:"group,omitempty"`
	Kind  string `json:"kind,omitempty"`
	// Object is the field of an item in which the reference stands, Ports that of a
	// list beside it, whose items name sections by their port.
	Object string `json:"object,omitempty"`
	Ports  string `json:"ports,omitempty"`
	// Numbers says that a section of a Service is the number of its port.
	Numbers    bool `json:"numbers,omitempty"`
	Deprecated bool `json:"deprecated,omitempty"`
}

// SpecEntry says which part of a spec is the spec proper.
type SpecEntry struct {
	// Common fields are stripped before merging.
	Common []string `json:"common,omitempty"`
	Bodies []Body   `json:"bodies,omitempty"`
	Proper []string `json:"proper,omitempty"`
	// Empty is the field whose absence makes a policy count as absent.
	Empty string `json:"empty,omitempty"`
	// Unset are words PATH=VALUE: a field with that value counts as absent.
	Unset []string `json:"unset,omitempty"`
	// Only are the fields that not every target may be given: the API server refuses
	// the policy.
	Only []Only `json:"only,omitempty"`
	// Defaults are those of the CRD, by path, that a policy has which is merged field by
	// field: they win over what is above it. A CRD in the input speaks for itself.
	Defaults map[string]any `json:"defaults,omitempty"`
	// DryRun is the annotation that, if true, has a policy evaluated without effect.
	DryRun string `json:"dryRun,omitempty"`
	// Typed says that nulls and empty lists are as if they were not written, because
	// the controller reads specs into types of its own; Kept are the paths at or
	// below which they count.
	Typed bool     `json:"typed,omitempty"`
	Kept  []string `json:"kept,omitempty"`
}

// Body is one place where a spec proper may stand.
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
	// OneOf are groups of paths that are one field under several names: who sets one
	// of them sets them all.
	OneOf [][]string `json:"oneOf,omitempty"`
	// FallsThrough are paths that go on to the next policy above where they are not
	// set, though the rest of the spec counts whole.
	FallsThrough []string `json:"fallsThrough,omitempty"`
	// Accumulate are paths at which the values of all policies count, side by side.
	Accumulate []string `json:"accumulate,omitempty"`
	// Resets are paths that a policy resets by setting the object around them.
	Resets []string    `json:"resets,omitempty"`
	Lists  []ListEntry `json:"lists,omitempty"`
	// Settle names what the kind makes of the merged spec at a target, where no word
	// here says it: a function of package settle.
	Settle string `json:"settle,omitempty"`
	// Yields are the fields that do not count where a target has policies of another
	// kind, or says itself what they would.
	Yields []Yield `json:"yields,omitempty"`
}

// LevelMerge is the merge between levels.
type LevelMerge struct {
	Algorithm string `json:"algorithm,omitempty"`
	// Direction is defaults, overrides, from-body (the body that a policy uses) or
	// from-mode (a field of the policy).
	Direction Direction `json:"direction,omitempty"`
	Mode      *Mode     `json:"mode,omitempty"`
	// Hops is all, closest (one parent is merged, the closest), nil (levels do not
	// meet) or object (nothing passes from one object to another, but what is at the
	// root, the Namespace and the object itself does meet).
	Hops   Hops    `json:"hops,omitempty"`
	Select *Select `json:"select,omitempty"`
	Skip   []Skip  `json:"skip,omitempty"`
	// Inherit is for routes that pass requests on to others: how the policies of the
	// one meet those of the other.
	Inherit *Inherit `json:"inherit,omitempty"`
	// Beside are the paths at which what is above a route and what is on it count side
	// by side, and Finer units of their own between the two.
	Beside []Beside `json:"beside,omitempty"`
	Finer  []string `json:"finer,omitempty"`
}

// Beside is a path of which a proxy keeps the values of both: those that name
// different objects at the field By, or, without one, those of all policies.
type Beside struct {
	Path string `json:"path"`
	By   string `json:"by,omitempty"`
	// Mutes is the field of a value that switches off those beside it.
	Mutes string `json:"mutes,omitempty"`
}

// Select names the field that chooses an algorithm.
type Select struct {
	Field string `json:"field"`
	// At says whose field counts: less-specific (the GEP's rule) or
	// more-specific.
	At     string            `json:"at"`
	Values map[string]string `json:"values"`
	// Kinds limits the choice: routes-only means policies on routes.
	Kinds string `json:"kinds,omitempty"`
}

// Mode names the field of the less specific policy that chooses the direction.
type Mode struct {
	Field string `json:"field"`
	// Values are defaults or overrides by the field's value; the empty one stands for
	// an absent field.
	Values map[string]Direction `json:"values"`
}

// Inherit names the annotation of a route that says whether its policies win over
// those of the routes that it passes requests on to.
type Inherit struct {
	Annotation string `json:"annotation"`
	// Values are defaults (the other route wins) or overrides by the annotation's
	// value; the empty one stands for none and for an unknown one.
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
	// Tie is oldest (the older wins), newest-target (the older acts as the less
	// specific one), ordered or undefined.
	Tie Tie `json:"tie,omitempty"`
	// RejectScope is what a loser loses: the target (default), or all of its targets
	// (policy).
	RejectScope string `json:"rejectScope,omitempty"`
	// First are the levels at which the first policy alone counts and the others are
	// passed over.
	First []string `json:"first,omitempty"`
}

// ListEntry is a list that does not merge as one value.
type ListEntry struct {
	Path   string `json:"path"`
	Key    string `json:"key,omitempty"`
	Concat bool   `json:"concat,omitempty"`
	// Slot is a field: the items without it are one value, of which only the winner's
	// counts, even if it has none.
	Slot string `json:"slot,omitempty"`
}

// ValueEntry is a field of which only some values are supported: with another
// one the policy is Invalid.
type ValueEntry struct {
	Path      string   `json:"path"`
	Supported []string `json:"supported"`
}

// ObjectReference is a list of references of a policy to objects of its own
// namespace.
type ObjectReference struct {
	// Path is that of the list.
	Path string `json:"path"`
	// Kinds are the words GROUP/KIND that may be named; ConfigMap authorities follow
	// the implementation.
	Kinds []string `json:"kinds,omitempty"`
	// Missing and WrongKind are the reasons of ResolvedRefs, NoneValid that of Accepted
	// where no reference is good.
	Missing   string `json:"missing"`
	WrongKind string `json:"wrongKind"`
	NoneValid string `json:"noneValid,omitempty"`
}

// Into maps a policy path to a path in the effective target's own fields
// (older GEP, "Merging into existing spec fields"). With Each, Object is inside
// every item of the list there. EmptyIsUnset says that an empty value of the
// object counts as unset.
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
	// What is authentication, authorisation, tls or limits.
	What string `json:"what"`
	// Loosens is the edit that loosens: removed (where what it stands in stays), gone
	// (in any case), added, higher, lower, changed; or admits: what comes lets in, what goes does not, as long as the list at the first
	// step of the path is there.
	Loosens Loosening `json:"loosens"`
	// Order lists words from the weakest to the strongest.
	Order []string `json:"order,omitempty"`
	// Unless names a value, PATH=VALUE, with which the field protects nothing:
	// an authorisation that allows everybody.
	Unless string `json:"unless,omitempty"`
	// Except is a key that a * at the end of the path does not mean: an item that
	// switches others off.
	Except string `json:"except,omitempty"`
	// Unset says what a field of a mode stands for that a spec leaves out: the
	// first other field with such a word, unless what it would stand in is there, or
	// =WORD. None is the word where there is
	// no policy at all.
	Unset []string `json:"unset,omitempty"`
	None  string   `json:"none,omitempty"`
}

// Shape is what differs in one version of a kind.
type Shape struct {
	Target *TargetEntry `json:"target,omitempty"`
}
