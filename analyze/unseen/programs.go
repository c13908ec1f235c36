package unseen

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// guarding matches the fields of policies that name a server which decides about requests, or has the keys by which a policy does.
var guarding = regexp.MustCompile(`(?i)auth|extproc|ratelimit|jwt|jwks|oidc|metadata`)

// provider matches the servers that the configuration of Istio's mesh names for CUSTOM policies (Istio, MeshConfig.extensionProviders).
var provider = regexp.MustCompile(`service:\s*["']?([a-z0-9.-]+)`)

// guards are the policies that have a Service decide about their requests, by Service: those that name it, by a reference or an
// address, those that name an object in between, and routes with a filter that asks.
func guards(s *search, env *loader.Environment) map[loader.ID][]string {
	out := map[loader.ID][]string{}
	between := map[loader.ID][]string{}
	for _, o := range env.Objects {
		name := o.ID.Spoken()
		add := func(id loader.ID) { out[id] = appendOther(out[id], name) }
		switch {
		case o.Context:
		case o.ID.Kind == "ConfigMap" && strings.HasPrefix(o.ID.Name, "istio"):
			for _, m := range provider.FindAllStringSubmatch(o.Root.Str("data", "mesh"), maxProviders) {
				if id, ok := serviceAt(m[1]); ok {
					add(id)
				}
			}
		case s.Table.Kind(o.ID.Group, o.ID.Kind) != nil, o.ID.Group == "gateway.kgateway.dev", o.ID.Group == "traefik.io", hierarchy.LevelOf(o.ID.Group, o.ID.Kind) == hierarchy.LevelRoute:
			for _, v := range valuesBelow(o.Spec(), guarding) {
				eachService(v, "", o.ID.Namespace, nil, add)
				eachBackend(v, o.ID.Namespace, func(id loader.ID) { between[id] = appendOther(between[id], name) })
			}
		}
	}
	for _, o := range env.Objects {
		for _, name := range between[loader.ID{Kind: o.ID.Kind, Namespace: o.ID.Namespace, Name: o.ID.Name}] {
			eachService(o.Spec(), "", o.ID.Namespace, nil, func(id loader.ID) { out[id] = appendOther(out[id], name) })
		}
	}
	return out
}

// maxProviders is how many servers of a mesh's configuration are looked at.
const maxProviders = 100

// eachBackend visits the Backends that a value refers to, without their group.
func eachBackend(v *loader.Value, namespace string, visit func(loader.ID)) {
	if v.Str("kind") == "Backend" && v.Str("name") != "" {
		visit(loader.ID{Kind: "Backend", Namespace: cmp.Or(v.Str("namespace"), namespace), Name: v.Str("name")})
	}
	for _, f := range v.FieldList() {
		eachBackend(f.Value, namespace, visit)
	}
	for _, item := range v.ItemList() {
		eachBackend(item, namespace, visit)
	}
}

// valuesBelow returns the outermost values whose keys match.
func valuesBelow(v *loader.Value, keys *regexp.Regexp) (out []*loader.Value) {
	for _, f := range v.FieldList() {
		if keys.MatchString(f.Key) {
			out = append(out, f.Value)
		} else {
			out = append(out, valuesBelow(f.Value, keys)...)
		}
	}
	for _, item := range v.ItemList() {
		out = append(out, valuesBelow(item, keys)...)
	}
	return out
}

// program is what the containers of a workload run, by field. Versions of an image are left out: they come and go with every
// update.
type program map[string]string

func programOf(o *loader.Object) program {
	out := program{}
	for _, v := range network.VolumesOf(o) {
		if v.Get("configMap") != nil || v.Get("secret") != nil || v.Get("projected") != nil {
			digest := loader.Digest(loader.ID{}, v)
			out["volumes"] += "\n" + string(digest[:])
		}
	}
	for _, c := range network.ContainersOf(o) {
		for _, field := range plan.ProgramFields() {
			v := c.Get(field)
			switch {
			case v == nil:
			case field == "image":
				out[field] += "\n" + network.Unversioned(v.Text)
			default:
				digest := loader.Digest(loader.ID{}, v)
				out[field] += "\n" + string(digest[:])
			}
		}
	}
	return out
}

// differs returns the fields in which two programs differ.
func (p program) differs(other program) []string {
	return slices.DeleteFunc(slices.Clone(plan.ProgramFields()), func(field string) bool { return p[field] == other[field] })
}
