package unseen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// secrets finds Secrets that something in the input reads and that change, come or go: users of basic authentication,
// keys, an authority, a certificate. Of their values it is only known that they differ.
func (s *search) secrets(pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	differing := s.edits.of(pair)
	pair, _ = pair.Applied(s.Base, s.Head) // a build that fails takes nothing away
	var was, is map[loader.ID][]string
	reading := func() {
		if is == nil {
			was, is = secretReaders(pair.Base), secretReaders(pair.Head)
		}
	}
	for _, e := range differing {
		o, old := e.Object(), e.Was
		if now := taken(e.Is); now != nil && e.Was != nil && taken(old) != nil && !loader.Equal(now, taken(old)) {
			s.add("a Secret that a kustomization copies from", plan.EditChanged, pair.Name(), o.Position(now), []string{o.ID.Spoken()}).Sealed = true
		}
		if !isSecret(o) {
			continue
		}
		reading()
		readers := is[o.ID]
		switch {
		case old == nil:
			readers = undecided(readers)
		case e.Is == nil: // one that nothing reads any more goes with its readers
			readers = undecided(slices.DeleteFunc(slices.Clone(was[o.ID]), func(name string) bool {
				return !slices.ContainsFunc(pair.Head.Objects, func(o *loader.Object) bool { return o.ID.Spoken() == name })
			}))
		case len(readers) == 0: // it has other labels now
			readers = was[o.ID]
		case slices.Equal(readers, was[o.ID]) && old.SameBody(e.Is):
			continue // no reader looks at what differs
		}
		if len(readers) > 0 {
			at := o.First()
			if body := cmp.Or(o.Root.Get("stringData"), o.Root.Get("data")); body != nil && old != nil && e.Is != nil {
				at = o.Position(body)
			}
			s.add(o.ID.Spoken(), e.Change(), pair.Name(), at, readers).Sealed = true
		}
	}
}

// taken stands for what a kustomization put into an object from Secrets; it is nil if it put nothing there.
func taken(o *loader.Object) *loader.Value {
	if o == nil {
		return nil
	}
	return o.Root.Get("metadata", loader.SealedKey)
}

func isSecret(o *loader.Object) bool { return o.ID.Kind == "Secret" && o.ID.Group == "" && !o.Context }

// undecided returns the readers of which no verdict says that a Secret is missing.
func undecided(readers []string) []string {
	return slices.DeleteFunc(slices.Clone(readers), func(name string) bool {
		return strings.HasPrefix(name, "Gateway ") || strings.HasPrefix(name, "ListenerSet ")
	})
}

// secretReaders are the readers of an environment, by Secret: those that name it, and those that select it by labels.
func secretReaders(env *loader.Environment) map[loader.ID][]string {
	out := readers(env, func(loader.ID) bool { return true })
	var secrets []*loader.Object
	for _, o := range env.Objects {
		if isSecret(o) && len(o.Labels()) > 0 {
			secrets = append(secrets, o)
		}
	}
	if len(secrets) == 0 {
		return out
	}
	for _, o := range env.Objects {
		if o.ID.Kind == "Secret" || o.Context {
			continue
		}
		eachSecretSelector(o.Root, "", "", func(selector *loader.Value) {
			for _, secret := range secrets {
				if ok, err := loader.Selects(selector, secret.Labels()); ok && err == nil {
					out[secret.ID] = appendOther(out[secret.ID], o.ID.Spoken())
				}
			}
		})
	}
	return out
}

// eachSecretSelector visits the selectors by which a value finds Secrets: those of API keys and of authorities of client
// certificates (authorino api/v1beta3, ApiKeyAuthenticationSpec; kgateway, APIKeyAuth.secretSelector).
func eachSecretSelector(v *loader.Value, key, parent string, visit func(*loader.Value)) {
	if v == nil {
		return
	}
	if key == "secretSelector" || key == "selector" && (parent == "apiKey" || parent == "x509") {
		visit(v)
		return
	}
	for _, f := range v.Fields {
		eachSecretSelector(f.Value, f.Key, key, visit)
	}
	for _, item := range v.Items {
		eachSecretSelector(item, key, parent, visit)
	}
}

// readers are those of some objects of an environment that read Secrets and ConfigMaps, by kind and name, sorted, for
// each of these.
func readers(env *loader.Environment, of func(loader.ID) bool) map[loader.ID][]string {
	out := map[loader.ID][]string{}
	for _, o := range env.Objects {
		if o.ID.Kind == "Secret" || inventory.Makes(o.ID.Group, o.ID.Kind) || o.Context || !of(o.ID) {
			continue
		}
		name := o.ID.Spoken()
		for _, f := range o.Root.FieldList() {
			if f.Key != "metadata" && f.Key != "status" {
				eachSecret(f.Value, f.Key, o.ID.Namespace, func(id loader.ID) {
					out[id] = appendOther(out[id], name)
				})
			}
		}
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}

// appendOther appends a name that is not the last one. Names come in groups.
func appendOther(list []string, name string) []string {
	if n := len(list); n > 0 && list[n-1] == name {
		return list
	}
	return append(list, name)
}

// eachSecret visits the Secrets and ConfigMaps that a value may refer to: by a map that has only a name and what goes
// with one, unless its key is that of other references, or by a text whose key says that it names such an object.
func eachSecret(v *loader.Value, key, namespace string, visit func(loader.ID)) {
	if v == nil {
		return
	}
	if v.Shape == loader.String && namesSecret(key) {
		visit(loader.ID{Kind: "Secret", Namespace: namespace, Name: v.Text})
	}
	if v.Shape == loader.String && key == "configMap" { // Traefik, ServersTransport.spec.rootCAs
		visit(loader.ID{Kind: "ConfigMap", Namespace: namespace, Name: v.Text})
	}
	if name := v.Str("name"); name != "" && !slices.Contains(otherReferences, key) && onlyReference(v) && (v.Get("kind") == nil || v.Str("kind") == "Secret" || v.Str("kind") == "ConfigMap") {
		visit(loader.ID{Kind: cmp.Or(v.Str("kind"), "Secret"), Namespace: cmp.Or(v.Str("namespace"), namespace), Name: name})
		if v.Get("kind") == nil && strings.HasPrefix(strings.ToLower(key), "cacertificateref") { // agentgateway, BackendTLS.caCertificateRefs
			visit(loader.ID{Kind: "ConfigMap", Namespace: cmp.Or(v.Str("namespace"), namespace), Name: name})
		}
	}
	for _, f := range v.FieldList() {
		eachSecret(f.Value, f.Key, namespace, visit)
	}
	for _, item := range v.ItemList() {
		eachSecret(item, key, namespace, visit)
	}
}

// namesSecret reports whether a text under a key is the name of a Secret: credentialName of Istio, secretName, caSecret
// and others of Traefik, credentials of a KongConsumer.
func namesSecret(key string) bool {
	lower := strings.ToLower(key)
	return strings.HasSuffix(lower, "secret") || strings.HasSuffix(lower, "secretname") || lower == "credentialname" || lower == "credentials"
}

// otherReferences are keys of references to other kinds, which may be left out there.
var otherReferences = []string{
	"parentRef", "parentRefs", "targetRef", "targetRefs", "backendRef", "backendRefs", "parametersRef", "extensionRef", "listeners", "rules",
}

func onlyReference(v *loader.Value) bool {
	return !slices.ContainsFunc(v.FieldList(), func(f loader.Field) bool {
		return !slices.Contains([]string{"group", "kind", "name", "namespace", "key", "optional", "sectionName", "targetPath", "valuesKey"}, f.Key)
	})
}
