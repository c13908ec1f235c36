package policy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// Partial is the first object that a policy of a kind with the status `partly-valid` refers to and that cannot be used, as
// a ResolvedRefs condition, or nil: the controller then sends the policy without the setting, or with one
// that fails (agentgateway, plugins/traffic_plugin.go, PolicyConditionMap; backend_policies.go). The port of a
// Service and grants do not matter.
func (p *Policy) Partial(g *hierarchy.Graph) *hierarchy.Condition {
	if p.Kind.Status["partly-valid"] == "" {
		return nil
	}
	wrong := func(id loader.ID, ref *loader.Value, message string) *hierarchy.Condition {
		return &hierarchy.Condition{Type: hierarchy.ResolvedRefs, Status: fact.False, Message: message, Owner: p.Object, Ref: ref, Involves: []loader.ID{id}}
	}
	for _, b := range p.Backends() {
		if slices.ContainsFunc(moderators, func(field string) bool { return strings.Contains(b.Path, "."+field+".") }) {
			continue
		}
		message := unsent(g, b.ID)
		if message == "" && strings.Contains(b.Path, "jwks.") {
			message = unfetched(g, g.Object(b.ID))
		}
		if message != "" {
			return wrong(b.ID, b.Ref, message)
		}
	}
	var found *hierarchy.Condition
	p.eachRead("", "", p.Object.Spec(), func(around string, ref *loader.Value, kind string) {
		id := loader.ID{Kind: kind, Namespace: p.Object.ID.Namespace, Name: ref.Str("name")}
		if found != nil || id.Name == "" {
			return
		}
		if kind == "Secret" && around != "caCertificateRefs" && (ref.Str("group") != "" || cmp.Or(ref.Str("kind"), kind) != kind) {
			found = wrong(id, ref, "credentials are read from Secrets alone, not from a "+ref.Str("kind")) // pkg/utils/kubeutils/secrets.go
		} else if there, message := g.Present(id); there == fact.False {
			found = wrong(id, ref, message)
		} else if message := lackingKey(g.Object(id), around, ref); kind == "Secret" && message != "" {
			found = wrong(id, ref, message)
		} else if message := g.WithoutAuthority(id, g.Dominant().Gateways.AuthorityKeys, g.Dominant().Gateways.AuthorityIsPEM); kind == "ConfigMap" && message != "" {
			found = wrong(id, ref, message)
		}
	})
	if at, why := wrongExpression(p.Object.Spec()); found == nil && at != nil {
		found = &hierarchy.Condition{Type: hierarchy.ResolvedRefs, Status: fact.False, Message: why, Owner: p.Object, Ref: at}
	}
	if found == nil {
		found = wrongContent(p, g)
	}
	return found
}

// OnlyWrong reports whether what makes a policy Partial is all that it sets, so that its controller sends nothing of it: the
// duration of a delay (agentgateway, plugins/traffic_plugin.go, processDelayPolicy).
func OnlyWrong(p *Policy, partial *hierarchy.Condition) bool {
	traffic := p.Object.Spec().Get("traffic")
	if partial.Ref == nil || traffic.Get("delay", "duration") != partial.Ref {
		return false
	}
	sets := func(v *loader.Value, common ...string) int {
		return len(slices.DeleteFunc(slices.Clone(v.FieldList()), func(f loader.Field) bool { return slices.Contains(common, f.Key) }))
	}
	return sets(traffic, "phase") == 1 && sets(p.Object.Spec(), "targetRefs", "targetSelectors", "strategy") == 1
}

// unsent says why a backend of a policy is not one that the controller sends requests to, or is empty.
func unsent(g *hierarchy.Graph, id loader.ID) string {
	kind := implementation.Kind{Group: id.Group, Name: id.Kind}
	switch {
	case id.Name == "":
		return ""
	case kind != implementation.Kind{Name: "Service"} && (id.Kind != "AgentgatewayBackend" || !slices.Contains(g.Dominant().Routes.Backends, kind)):
		return "policies send nothing to a " + id.Kind
	case id.Group == "" && strings.Contains(id.Name, "."):
		return "a Service has no dot in its name; " + id.Name + " is a hostname"
	}
	if there, message := g.Present(id); there == fact.False {
		return message
	}
	return ""
}

// unfetched says why the controller fetches no key set from a backend, or is empty (agentgateway,
// remotehttp/connection_resolver.go, resolveBackendConnection; remotehttp/tls_resolver.go, resolvedTLSFromBackendTLS).
func unfetched(g *hierarchy.Graph, backend *loader.Object) string {
	if backend == nil || backend.ID.Kind != "AgentgatewayBackend" {
		return ""
	}
	if backend.Spec().Get("static").IsNull() {
		return "key sets are fetched from static backends alone, and " + backend.ID.Spoken() + " is none"
	}
	for _, ref := range backend.Spec().Get("policies", "tls").List("caCertificateRefs") {
		id := loader.ID{Kind: cmp.Or(ref.Str("kind"), "ConfigMap"), Namespace: backend.ID.Namespace, Name: ref.Str("name")}
		if there, message := g.Present(id); there == fact.False {
			return message
		} else if message := g.WithoutAuthority(id, g.Dominant().Gateways.AuthorityKeys, true); message != "" {
			return message
		}
	}
	return ""
}

// moderators are the fields for services that check prompts. Errors in their own policies are only logged (agentgateway,
// plugins/backend_policies.go).
var moderators = []string{"openAIModeration", "bedrockGuardrails", "googleModelArmor"}

// eachRead visits the references to Secrets and to ConfigMaps of authorities in a value, by the names of their fields, with
// that field, or with the one around it if that says more.
func (p *Policy) eachRead(around, field string, v *loader.Value, visit func(around string, ref *loader.Value, kind string)) {
	name := strings.ToLower(field)
	switch {
	case v == nil || slices.Contains(moderators, around) && field == "policies":
		return
	case strings.HasSuffix(name, "secretref"), strings.HasSuffix(name, "certificateref"), strings.HasSuffix(name, "keyref"):
		if field != "secretRef" {
			around = field
		}
		for _, ref := range append(v.ItemList(), v) {
			visit(around, ref, "Secret")
		}
		return
	case name == "cacertificaterefs":
		for _, ref := range v.ItemList() {
			visit(field, ref, cmp.Or(ref.Str("kind"), "ConfigMap"))
		}
		return
	}
	for _, f := range v.FieldList() {
		p.eachRead(field, f.Key, f.Value, visit)
	}
	for _, item := range v.ItemList() {
		for _, f := range item.FieldList() {
			p.eachRead(field, f.Key, f.Value, visit)
		}
	}
}
