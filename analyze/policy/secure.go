package policy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// securing are the policies that secure the connections to backends, by target, in order of
// precedence. They include those that cannot be used: connections that they secure fail.
type securing map[hierarchy.Target][]*Policy

func securingOf(policies []*Policy, ages age.Ages) securing {
	out := securing{}
	for _, p := range policies {
		if len(p.Kind.References) == 0 || p.ignored {
			continue
		}
		for _, ref := range p.References {
			if !slices.Contains(out[ref.Target], p) {
				out[ref.Target] = append(out[ref.Target], p)
			}
		}
	}
	for _, at := range out {
		slices.SortStableFunc(at, func(a, b *Policy) int {
			if a.Kind != b.Kind {
				return a.ID().Compare(b.ID())
			}
			return a.Kind.Precedence(a.Object, b.Object, ages).Compare
		})
	}
	return out
}

// FirstAt returns the policy that secures the connections to a target, whether or not the target
// exists, or nil.
func (s securing) FirstAt(target hierarchy.Target) *Policy {
	if at := s[target]; len(at) > 0 {
		return at[0]
	}
	return nil
}

// Secures reports whether connections to a port of a backend are secured, by a policy or by the backend itself.
func (s securing) Secures(g *hierarchy.Graph, backend loader.ID, port string) bool {
	return g.Object(backend).Spec().Get("tls") != nil || s.FirstAt(hierarchy.Target{ID: backend}) != nil ||
		port != "" && s.FirstAt(hierarchy.Target{ID: backend, Section: g.PortName(backend, port)}) != nil
}

// BrokenTLS says why connections to a port of a backend cannot be secured as configured, or is
// empty. A policy on the port has precedence over one on the whole backend.
func (s securing) BrokenTLS(g *hierarchy.Graph, backend loader.ID, port string) string {
	if g.Dominant().Routes.BackendTLS.Reason == "" {
		return ""
	}
	if message := g.UnusableTLS(backend); message != "" {
		return message
	}
	at := s[hierarchy.Target{ID: backend, Section: g.PortName(backend, port)}]
	if port == "" || len(at) == 0 {
		at = s[hierarchy.Target{ID: backend}]
	}
	if len(at) == 0 {
		return hierarchy.WithoutOwnAuthorities(g, backend)
	}
	if at[0].Unusable() == "" {
		return ""
	}
	return at[0].ID().Spoken() + " secures the connections: " + at[0].Resolved.Message
}
