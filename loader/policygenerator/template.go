package policygenerator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// templates are those of one policy, as they are made (internal/utils.go, getPolicyTemplates).
type templates struct {
	*generator
	builder
	policy *loader.Value
	list   []*loader.Value
	// numbers count the ConfigurationPolicies of a name.
	numbers map[string]int
	// pending are the object templates that share a ConfigurationPolicy, consolidated is its name.
	pending      []*loader.Value
	consolidated string
	// informs means that templates are added which only inform about a policy of Gatekeeper or Kyverno
	// (internal/expanders).
	informs bool
}

// templates returns the templates of a policy, and whether some others only inform.
func (g *generator) templates(policy *loader.Value) templates {
	t := templates{generator: g, builder: builder{policy.Mark}, policy: policy, numbers: map[string]int{}}
	together := !g.isFalse(policy, "consolidateManifests") && !g.setting(policy, "orderManifests").IsTrue()
	for _, manifest := range policy.List("manifests") {
		for _, doc := range g.manifest(manifest) {
			if together && t.consolidated == "" && t.isObject(doc) {
				t.consolidated = manifest.Str("name")
			}
			t.add(manifest, doc, together)
		}
	}
	if len(t.pending) > 0 {
		t.wrap(cmp.Or(t.consolidated, policy.Str("name")), nil, "object-templates", t.builder.list(t.pending))
	}
	return t
}

// add adds the template for an object. Policies of Open Cluster Management and raw templates are templates of
// their own; anything else is an object that a ConfigurationPolicy has (internal/utils.go,
// isPolicyTypeManifest).
func (t *templates) add(manifest, doc *loader.Value, together bool) {
	own := cmp.Or(manifest.Str("name"), t.policy.Str("name"))
	switch raw := doc.Get("object-templates-raw"); {
	case isRaw(doc):
		t.wrap(own, manifest, "object-templates-raw", raw)
	case isPolicy(doc):
		t.append(t.object("objectDefinition", withoutNamespace(doc)))
		t.wait(t.builder, t.policy, manifest, t.list)
	case t.isGatekeeper(doc) && t.isFalse(t.policy, "informGatekeeperPolicies"):
		t.append(t.object("objectDefinition", doc))
	default:
		template := t.object("complianceType", t.text(t.word(manifest, t.policy, "complianceType", "musthave")), "objectDefinition", doc)
		for _, key := range []string{"metadataComplianceType", "recreateOption", "objectSelector"} {
			if v := t.own(manifest, t.policy, key); v != nil {
				template.Fields = append(template.Fields, loader.Field{Key: key, Value: v})
			}
		}
		t.informs = t.informs || strings.HasPrefix(doc.Str("apiVersion"), "constraints.gatekeeper.sh/") || isKyverno(doc) && !t.isFalse(t.policy, "informKyvernoPolicies")
		if together {
			t.pending = append(t.pending, template)
			return
		}
		t.wrap(own, manifest, "object-templates", t.builder.list([]*loader.Value{template}))
	}
}

func (t *templates) append(template *loader.Value) { t.list = append(t.list, template) }

// wrap adds a ConfigurationPolicy with object templates or with their text.
func (t *templates) wrap(name string, manifest *loader.Value, field string, content *loader.Value) {
	if t.numbers[name]++; t.numbers[name] > 1 {
		name = fmt.Sprintf("%s%d", name, t.numbers[name])
	}
	spec := t.object("remediationAction", t.text(t.word(manifest, t.policy, "remediationAction", "inform")), "severity", t.text(t.word(manifest, t.policy, "severity", "low")))
	for _, key := range []string{"pruneObjectBehavior", "namespaceSelector"} {
		if v := t.own(manifest, t.policy, key); v != nil {
			spec.Fields = append(spec.Fields, loader.Field{Key: key, Value: v})
		}
	}
	metadata := t.object("name", t.text(name))
	if annotations := t.setting(t.policy, "configurationPolicyAnnotations"); annotations != nil {
		metadata.Fields = append(metadata.Fields, loader.Field{Key: "annotations", Value: annotations})
	}
	spec.Fields = append(spec.Fields, loader.Field{Key: field, Value: content})
	t.append(t.object("objectDefinition", t.object(
		"apiVersion", t.text(Group+"/v1"), "kind", t.text("ConfigurationPolicy"), "metadata", metadata, "spec", spec,
	)))
	t.wait(t.builder, t.policy, manifest, t.list)
}

// action returns the action of all templates, or "" if they differ: each has its own then (internal/utils.go,
// getRootRemediationAction).
func (t *templates) action() string {
	action := ""
	if t.informs {
		action = "inform"
	}
	for _, template := range t.list {
		own := strings.ToLower(template.Str("objectDefinition", "spec", "remediationAction"))
		if action != "" && own != "" && action != own {
			return ""
		}
		action = cmp.Or(own, action)
	}
	if action == "informonly" {
		return "inform"
	}
	return action
}

func (t *templates) isObject(doc *loader.Value) bool {
	return !isRaw(doc) && !isPolicy(doc) && (!t.isGatekeeper(doc) || !t.isFalse(t.policy, "informGatekeeperPolicies"))
}

func isRaw(doc *loader.Value) bool {
	raw := doc.Get("object-templates-raw")
	return raw != nil && raw.Shape == loader.String
}

// isPolicy reports whether a manifest is a policy that managed clusters know.
func isPolicy(doc *loader.Value) bool {
	return strings.HasPrefix(doc.Str("apiVersion"), Group) && strings.HasSuffix(doc.Str("kind"), "Policy")
}

func (t *templates) isGatekeeper(doc *loader.Value) bool {
	version := doc.Str("apiVersion")
	return strings.HasPrefix(version, "constraints.gatekeeper.sh") || strings.HasPrefix(version, "templates.gatekeeper.sh") && doc.Str("kind") == "ConstraintTemplate"
}

func isKyverno(doc *loader.Value) bool {
	kind := doc.Str("kind")
	return doc.Str("apiVersion") == "kyverno.io/v1" && (kind == "ClusterPolicy" || kind == "Policy") ||
		doc.Str("apiVersion") == "policies.kyverno.io/v1" && strings.HasSuffix(kind, "Policy")
}

// withoutNamespace returns an object without its namespace.
func withoutNamespace(doc *loader.Value) *loader.Value {
	meta := doc.Get("metadata")
	if meta.Get("namespace") == nil {
		return doc
	}
	own := *meta
	own.Fields = slices.DeleteFunc(slices.Clone(meta.Fields), func(f loader.Field) bool { return f.Key == "namespace" })
	out := *doc
	out.Fields = slices.Clone(doc.Fields)
	for i, f := range out.Fields {
		if f.Key == "metadata" {
			out.Fields[i].Value = &own
		}
	}
	return &out
}
