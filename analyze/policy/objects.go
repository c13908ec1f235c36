package policy

import (
	"fmt"
	"slices"
	"strings"

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

// objects follows the references of a policy to what it cannot do without, such
// as authorities, and gives the reason to reject it where none is good (Gateway
// API, BackendTLSPolicyValidation.caCertificateRefs).
func (r needs) objects() (reason, message string) {
	for _, entry := range r.policy.Kind.References {
		refs := at(r.policy.Object.Spec(), entry.Path).ItemList()
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

func (r needs) object(entry ObjectReference, ref *loader.Value) hierarchy.Condition {
	p := r.policy
	id := loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: p.Object.ID.Namespace, Name: ref.Str("name")}
	c := hierarchy.Condition{Type: hierarchy.ResolvedRefs, Owner: p.Object, Ref: ref, Involves: []loader.ID{id}}
	known := slices.ContainsFunc(r.graph.AuthorityKinds(entry.kinds()), func(k string) bool { return k == id.Kind })
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

// kinds are the names of the kinds that may be referred to.
func (e ObjectReference) kinds() []string {
	out := make([]string, 0, len(e.Kinds))
	for _, word := range e.Kinds {
		_, kind, _ := strings.Cut(word, "/")
		out = append(out, kind)
	}
	return out
}

// Backends are the backends that a policy itself sends requests to, such as those
// that authorize, with the references that name them.
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

// breaks notes the first backend of a policy that is known not to be usable, or else
// the first object that it draws from and that does not exist, for kinds that ask.
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
			continue // the API server would not take it
		}
		wrong := ""
		if resolution := r.graph.Resolve(r.policy.ID(), r.graph.Named(b.ID)); resolution.Resolved == fact.False {
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

// wrongPort says that a backend names no port of its Service, "" where it does or that is not
// known (Envoy Gateway internal/gatewayapi/validate.go, validateExtServiceBackendReference).
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

// failsOpen says whether a policy lets requests pass where a reference at a path cannot
// be used: by the field that stands around it.
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

// Backend is one that a policy refers to, at a path of its kind's entry.
type Backend struct {
	ID   loader.ID
	Ref  *loader.Value
	Path string
}

// every gives the values at a path in which * means each item of a list.
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

// checkValues makes a policy Invalid for a value that its kind does not have
// (Gateway API, BackendTLSPolicyValidation.wellKnownCACertificates).
func (p *Policy) checkValues() {
	for _, entry := range p.Kind.Values {
		v := at(p.Object.Spec(), entry.Path)
		// A value with a domain is an implementation's own.
		if v != nil && !v.Opaque && !strings.Contains(v.Text, "/") && !slices.Contains(entry.Supported, v.Text) && p.Invalid == "" {
			p.Invalid = fmt.Sprintf("%s is %q, which is not supported; use %s", entry.Path, v.Text, strings.Join(entry.Supported, " or "))
		}
	}
}
