package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// needs reads what a policy takes from other objects, and what it cannot do without.
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
		failed := 0
		worst := hierarchy.Condition{Type: hierarchy.ResolvedRefs, Status: fact.True, Reason: hierarchy.ResolvedRefs}
		var involved []loader.ID
		for _, ref := range refs {
			c := r.object(entry, ref)
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
		if len(refs) > 0 && failed == len(refs) || failed > 0 && own.Listeners.OneAuthorityFails {
			reason, message = entry.NoneValid, worst.Message
		}
	}
	return reason, message
}

func (r needs) object(entry catalogue.ObjectReference, ref *loader.Value) hierarchy.Condition {
	p := r.policy
	id := loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: p.Object.ID.Namespace, Name: ref.Str("name")}
	c := hierarchy.Condition{Type: hierarchy.ResolvedRefs, Owner: p.Object, Ref: ref, Involves: []loader.ID{id}}
	known := slices.ContainsFunc(r.graph.AuthorityKinds(entry.KindNames()), func(k string) bool { return k == id.Kind })
	if !known {
		c.Status, c.Reason, c.Message = fact.False, entry.WrongKind, id.Kind+" is not a kind that can be referred to here"
		return c
	}
	c.Status = fact.True
	if resolution := r.graph.Resolve(p.Object.ID, id); resolution.Resolved != fact.True {
		c.Status, c.Reason, c.Message = resolution.Resolved, entry.Missing, resolution.Message
		if resolution.Resolved == fact.Unknown {
			c.Reason = hierarchy.NotInInput
		}
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
				out = append(out, Backend{ID: hierarchy.BackendID(ref, p.Object.ID.Namespace), Ref: ref, Path: path})
			}
		}
	}
	return out
}

// breaks records the first backend of a policy that is known to be unusable or, if there is
// none, the first missing object that it draws from. It checks only kinds that define a reason
// for it.
func (r needs) breaks() bool { return r.breaksBackend() || r.breaksDraw() }

func (r needs) breaksDraw() bool {
	for _, draw := range r.policy.draws {
		if draw.Broken != "" && draw.Absent == fact.True {
			r.policy.Broken = &hierarchy.Condition{
				Type: hierarchy.ResolvedRefs, Status: fact.False, Reason: draw.Broken, Message: draw.Missing,
				Owner: draw.Owner, Ref: draw.Ref, Involves: []loader.ID{draw.ID},
			}
			r.policy.FailsOpen = r.policy.failsOpen(draw.Path, draw.Ref)
			return true
		}
	}
	return false
}

func (r needs) breaksBackend() bool {
	if r.policy.Kind.BrokenBackends == "" {
		return false
	}
	for _, b := range r.policy.Backends() {
		if b.ID.Name == "" {
			continue // the API server rejects such a reference
		}
		wrong := ""
		if resolution := r.graph.ResolveAs(r.policy.ID(), r.graph.Named(b.ID), b.ID); resolution.Resolved == fact.False {
			wrong = resolution.Message
		} else {
			wrong = r.wrongPort(b)
		}
		if wrong != "" {
			r.policy.Broken = &hierarchy.Condition{
				Type: hierarchy.ResolvedRefs, Status: fact.False, Reason: r.policy.Kind.BrokenBackends, Message: wrong,
				Owner: r.policy.Object, Ref: b.Ref, Involves: []loader.ID{b.ID},
			}
			r.policy.FailsOpen = r.policy.failsOpen(b.Path, b.Ref)
			return true
		}
	}
	return false
}

// wrongPort is the message for a reference to a port that its Service does not have, "" if the
// port exists or that is unknown (Envoy Gateway internal/gatewayapi/validate.go,
// validateExtServiceBackendReference).
func (r needs) wrongPort(b Backend) string {
	service := r.graph.Object(b.ID)
	if b.ID.Group != "" || b.ID.Kind != "Service" || service == nil {
		return ""
	}
	port := b.Ref.Get("port")
	if port.IsNull() {
		return fmt.Sprintf("the reference to %s names no port", b.ID)
	}
	var has []string
	for _, p := range service.Spec().List("ports") {
		number := p.Get("port")
		if number == nil {
			continue
		}
		if number.Text == port.Text {
			return ""
		}
		has = append(has, number.Text)
	}
	return fmt.Sprintf("%s has no port %s, only %s", b.ID, port.Text, strings.Join(has, ", "))
}

// failsOpen reports whether a policy lets requests pass if a reference at a path cannot be used.
// A field in an enclosing object decides this.
func (p *Policy) failsOpen(path string, ref *loader.Value) bool {
	for _, field := range p.Kind.FailOpen {
		i := strings.LastIndexByte(field, '.')
		rest, inside := strings.CutPrefix(path, field[:i+1])
		if !inside {
			continue
		}
		for _, around := range every(p.Object.Spec(), strings.Split(field[:i], ".")) {
			found := slices.ContainsFunc(every(around, strings.Split(rest, ".")), func(v *loader.Value) bool {
				return v == ref || slices.Contains(v.ItemList(), ref)
			})
			if open := around.Get(field[i+1:]); found && open != nil && open.Text == "true" {
				return true
			}
		}
	}
	return false
}

// Backend is a backend that a policy refers to, at a path of its kind's entry.
type Backend struct {
	ID   loader.ID
	Ref  *loader.Value
	Path string
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
// BackendTLSPolicyValidation.wellKnownCACertificates).
func (p *Policy) checkValues() {
	for _, entry := range p.Kind.Values {
		v := p.Object.Spec().At(entry.Path)
		// A value with a domain is specific to an implementation.
		if v != nil && !v.Opaque && !strings.Contains(v.Text, "/") && !slices.Contains(entry.Supported, v.Text) && p.Invalid == "" {
			p.Invalid = fmt.Sprintf("%s is %q, which is not supported; use %s", entry.Path, v.Text, strings.Join(entry.Supported, " or "))
		}
	}
}
