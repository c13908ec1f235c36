package flux

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
	"github.com/gwplan/gwplan/loader/variable"
)

// settings are the objects of one cluster that provide variables and values, by kind and name:
// ConfigMaps, Secrets and objects that generate Secrets.
type settings map[string][]*loader.Object

// add stores an object. The name of an ExternalSecret is that of the Secret that it generates.
func (c settings) add(o *loader.Object) {
	name := o.ID.Name
	if o.ID.Kind == "ExternalSecret" {
		name = cmp.Or(o.Root.Str("spec", "target", "name"), name)
	}
	c[o.ID.Kind+"/"+name] = append(c[o.ID.Kind+"/"+name], o)
}

// isSetting reports whether a kind is a setting.
func isSetting(group, kind string) bool {
	switch group {
	case "":
		return kind == "ConfigMap" || kind == "Secret"
	case "external-secrets.io":
		return kind == "ExternalSecret"
	case "bitnami.com":
		return kind == "SealedSecret"
	}
	return false
}

// find returns an object by its name. An empty namespace matches any namespace, because a file may
// omit it.
func (c settings) find(kind, namespace, name string) *loader.Object {
	var near *loader.Object
	for _, o := range c[kind+"/"+name] {
		if o.ID.Namespace == namespace {
			return o
		}
		if near == nil && (o.ID.Namespace == "" || namespace == "") {
			near = o
		}
	}
	return near
}

// secret defines the variables of a Secret. Their names are known if the Secret or an object that
// generates it is in the tree; their values are never known. It returns false if not all names are
// known.
func (c settings) secret(set *variable.Set, namespace, name string) bool {
	if o := c.find("Secret", namespace, name); o != nil {
		define(set, o, o.Root.Get("data"))
		define(set, o, o.Root.Get("stringData"))
		return true
	}
	if o := c.find("SealedSecret", namespace, name); o != nil {
		defineUnknown(set, o, o.Root.Get("spec", "encryptedData"))
		return true
	}
	// The Secret may be a copy from another namespace.
	o := c.find("ExternalSecret", "", name)
	if o == nil {
		return false
	}
	return externalSecret(set, o)
}

// externalSecret defines the entries that an ExternalSecret generates (external-secrets.io/v1: a
// template replaces the fetched entries unless its mergePolicy is Merge). It returns false if there
// may be others.
func externalSecret(set *variable.Set, o *loader.Object) bool {
	template := o.Root.Get("spec", "target", "template")
	defineUnknown(set, o, template.Get("data"))
	if len(template.Get("data").FieldList()) > 0 && template.Str("mergePolicy") != "Merge" {
		return len(template.List("templateFrom")) == 0
	}
	for _, item := range o.Root.List("spec", "data") {
		if key := item.Get("secretKey"); key != nil {
			set.Values[key.Text] = variable.Value{At: o.Position(key), Opaque: true}
		}
	}
	return len(o.Root.List("spec", "dataFrom")) == 0 && template == nil
}

// defineUnknown sets variables whose values cannot be read.
func defineUnknown(set *variable.Set, o *loader.Object, values *loader.Value) {
	for _, f := range values.FieldList() {
		set.Values[f.Key] = variable.Value{At: o.Position(f.Value), Opaque: true}
	}
}

// variables returns the variables that a Flux Kustomization substitutes; nil if it substitutes
// none. missing are the references to ConfigMaps and Secrets that are not known (so far). Later
// sources override earlier ones, and spec.postBuild.substitute overrides all (fluxcd/pkg
// kustomize/kustomize_varsub.go, SubstituteVariables).
func (k Kustomization) variables(known settings) (set *variable.Set, missing []*loader.Value) {
	post := k.Object.Root.Get("spec", "postBuild")
	if post.IsNull() {
		return nil, nil
	}
	set = &variable.Set{Values: map[string]variable.Value{}, Always: post.Str("substituteStrategy") == "Always"}
	for _, from := range post.List("substituteFrom") {
		namespace, name := k.Object.ID.Namespace, from.Str("name")
		if from.Str("kind") != "ConfigMap" {
			if !known.secret(set, namespace, name) {
				set.Open = true
				missing = append(missing, from)
			}
			continue
		}
		source := known.find("ConfigMap", namespace, name)
		if source == nil {
			set.Open = true
			missing = append(missing, from)
			continue
		}
		define(set, source, source.Root.Get("data"))
	}
	define(set, k.Object, post.Get("substitute"))
	return set, missing
}

// define sets variables from the scalar entries of a map. The value of a secret is unknown wherever it is written: it could
// be filled in anywhere, and be shown there.
func define(set *variable.Set, o *loader.Object, values *loader.Value) {
	for _, f := range values.FieldList() {
		switch f.Value.Shape {
		case loader.String, loader.Bool, loader.Int, loader.Float:
			set.Values[f.Key] = variable.Value{
				Text: strings.ReplaceAll(f.Value.Text, "\n", ""), At: o.Position(f.Value), From: o.Inputs,
				Opaque: f.Value.Opaque || loader.IsCredential(f.Key, f.Value.Text),
			}
		case loader.Null, loader.Map, loader.List:
		}
	}
}

// badName returns the first variable with an invalid name. Flux then refuses the whole
// Kustomization.
func badName(set *variable.Set) (string, bool) {
	if set == nil {
		return "", false
	}
	for _, name := range tree.Sorted(set.Values) {
		if !variable.Valid(name) {
			return name, true
		}
	}
	return "", false
}

// unknownVariables returns a note for each missing ConfigMap with variables.
func (k Kustomization) unknownVariables(missing []*loader.Value) []loader.Problem {
	var out []loader.Problem
	for _, from := range missing {
		if from.Str("kind") != "ConfigMap" {
			continue // the values in Secrets are unknown in any case
		}
		p := deploy.Complain(
			"flux-variables-unknown",
			fmt.Sprintf("the variables of the Flux Kustomization %s come from %s, which is not in the tree: they are unknown", deploy.Quote(k.Object.ID.Name), deploy.Quote("ConfigMap/"+from.Str("name"))),
			"",
		).Problem(k.Object.Position(from))
		p.Severity = loader.Note
		out = append(out, p)
	}
	return out
}
