package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// needs reads the objects that a policy refers to: those it draws settings from and those it requires.
type needs struct {
	reader
	contents map[content]*merge.Tree
}

// objects resolves the references of a policy to objects that it requires, such as certificates
// of authorities. It returns the reason to reject the policy if none is valid, or if one is
// invalid and the implementation requires all (Gateway API,
// BackendTLSPolicyValidation.caCertificateRefs).
func (r needs) objects() (reason, message string) {
	for _, entry := range r.policy.Kind.References {
		refs := r.policy.Object.Spec().At(entry.Path).ItemList()
		if len(refs) > 1 && r.graph.Dominant().Policies.FirstAuthority {
			refs = refs[:1]
		}
		if len(refs) == 0 && r.graph.Dominant().Policies.ResolvedWithRefs {
			continue
		}
		failed := 0
		worst := hierarchy.Condition{Type: hierarchy.ResolvedRefs, Status: fact.True, Reason: hierarchy.ResolvedRefs}
		var involved []loader.ID
		for _, ref := range refs {
			c := Authority(r.graph, r.policy.Object, entry, ref)
			involved = append(involved, c.Involves...)
			if c.Status == fact.False {
				failed++
			}
			if c.Status < worst.Status {
				worst = c
			}
		}
		r.policy.Resolved = worst
		r.policy.Resolved.Involves = involved
		own := r.graph.Dominant()
		if len(refs) > 0 && failed == len(refs) || failed > 0 && (own.Listeners.OneAuthorityFails || own.Policies.OneAuthorityFails) {
			reason, message = entry.NoneValid, worst.Message
		}
	}
	return reason, message
}

// Unusable is the reason with which targets reject the policy because the objects that it refers to
// cannot be used, or empty. Then the policy keeps its targets: connections that it secures fail.
func (p *Policy) Unusable() string {
	for _, entry := range p.Kind.References {
		for _, ref := range p.References {
			if ref.Reason == entry.NoneValid && ref.Holds {
				return ref.Reason
			}
		}
	}
	return ""
}

// Failing says why the requests to the policy's targets fail, because something that it refers to cannot be
// used, or is empty.
func (p *Policy) Failing() string {
	switch {
	case p.Broken != nil && !p.FailsOpen:
		return fmt.Sprintf("%s cannot be used (%s): %s", p.ID().Spoken(), p.Broken.Reason, p.Broken.Message)
	case p.Unusable() != "":
		return fmt.Sprintf("%s cannot be used (%s): %s", p.ID().Spoken(), p.Unusable(), p.Resolved.Message)
	}
	return ""
}

// Authority is the ResolvedRefs condition of an object for its reference to an object of its namespace, such
// as the certificate of an authority.
func Authority(g *hierarchy.Graph, owner *loader.Object, entry catalogue.ObjectReference, ref *loader.Value) hierarchy.Condition {
	id := hierarchy.AuthorityOf(loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: owner.ID.Namespace, Name: ref.Str("name")}, g.Dominant())
	c := hierarchy.Condition{Type: hierarchy.ResolvedRefs, Owner: owner, Ref: ref, Involves: []loader.ID{id}}
	// A ClusterTrustBundle, whose group is another one, has no namespace.
	known := slices.Contains(g.AuthorityKinds(entry.KindNames()), id.Kind) && (id.Group == "" || id.Namespace == "")
	if !known && slices.Contains(g.Dominant().Policies.ReferableKinds, implementation.Kind{Group: id.Group, Name: id.Kind}) && g.Resolve(owner.ID, id).Resolved == fact.False {
		c.Status, c.Reason, c.Message = fact.False, entry.Missing, id.Spoken()+" does not exist"
		return c
	}
	if !known {
		c.Status, c.Reason, c.Message = fact.False, entry.WrongKind, strings.TrimSuffix(id.Kind+"."+id.Group, ".")+" is not a kind that can be referred to here"
		return c
	}
	c.Status = fact.True
	if resolution := g.Resolve(owner.ID, id); resolution.Resolved != fact.True {
		c.Status, c.Reason, c.Message = resolution.Resolved, entry.Missing, resolution.Message
		if resolution.Resolved == fact.Unknown {
			c.Reason = hierarchy.NotInInput
		}
	} else if wrong := g.WithoutAuthority(id, g.Dominant().Gateways.AuthorityKeys, g.Dominant().Gateways.AuthorityIsPEM && !g.Dominant().Policies.UnreadAuthority); wrong != "" {
		c.Status, c.Reason, c.Message = fact.False, entry.Missing, wrong
	}
	return c
}

// Backends are the backends to which a policy itself sends requests, such as services that
// authorise, with the references to them.
func (p *Policy) Backends() []Backend {
	var out []Backend
	for _, path := range p.Kind.Backends {
		for _, v := range every(p.Object.Spec(), strings.Split(path, ".")) {
			refs := []*loader.Value{v}
			if v.Shape == loader.List {
				refs = v.Items
			}
			for _, ref := range refs {
				out = append(out, Backend{ID: hierarchy.BackendID(ref, p.Object.ID.Namespace), Ref: ref, Path: path, In: v})
			}
		}
	}
	return out
}

// Backend is a backend that a policy refers to, at a path of its kind's entry. In is the list of the reference, or itself.
type Backend struct {
	ID      loader.ID
	Ref, In *loader.Value
	Path    string
}

// every returns the values at a path, in which * means each item of a list.
func every(v *loader.Value, path []string) []*loader.Value {
	switch {
	case v.IsNull():
		return nil
	case len(path) == 0:
		return []*loader.Value{v}
	case path[0] != "*":
		return every(v.Get(path[0]), path[1:])
	}
	var out []*loader.Value
	for _, item := range v.ItemList() {
		out = append(out, every(item, path[1:])...)
	}
	return out
}

// checkValues makes a policy Invalid if a field has an unsupported value (Gateway API,
// BackendTLSPolicyValidation.wellKnownCACertificates). own means that the implementation may have values
// of its own, which are not judged.
func (p *Policy) checkValues(own bool) {
	for _, entry := range p.Kind.Values {
		v := p.Object.Spec().At(entry.Path)
		// A value with a domain is specific to an implementation.
		if v != nil && !v.Opaque && (!own || !strings.Contains(v.Text, "/")) && !slices.Contains(entry.Supported, v.Text) && p.Invalid == "" {
			p.Invalid = fmt.Sprintf("%s is %q, which is not supported; use %s", entry.Path, v.Text, strings.Join(entry.Supported, " or "))
		}
	}
}
