package policy

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// wrongContent returns the first text with keys that a policy with the status `partly-valid` contains or selects and that its
// controller cannot read (agentgateway, plugins/traffic_plugin.go, processJWTAuthenticationPolicy and
// processAPIKeyAuthenticationPolicy).
func wrongContent(p *Policy, g *hierarchy.Graph) *hierarchy.Condition {
	var found *hierarchy.Condition
	wrong := func(at *loader.Value, message string, involved ...loader.ID) {
		if found == nil {
			found = &hierarchy.Condition{Type: hierarchy.ResolvedRefs, Status: fact.False, Message: message, Owner: p.Object, Ref: at, Involves: involved}
		}
	}
	eachField(p.Object.Spec(), func(around, field string, v *loader.Value) {
		switch {
		case around == "jwks" && field == "inline" && v.Shape == loader.String && !v.Opaque && !loader.Placeholder(v.Text):
			if message := wrongKeySet(v.Text); message != "" {
				wrong(v, message)
			}
		case around == "apiKeyAuthentication" && field == "configMapSelector":
			for _, o := range g.ObjectsOf("", "ConfigMap", p.Object.ID.Namespace) {
				if v.Shape != loader.Map || (inventory.Labels{Values: o.Labels()}).Matches(v) != fact.True {
					continue
				}
				for _, entry := range o.Root.Get("data").FieldList() {
					if message := wrongKey(entry.Value); message != "" {
						wrong(v, entry.Key+" of "+o.ID.Spoken()+" "+message, o.ID)
					}
				}
			}
		}
	})
	return found
}

// eachField visits the fields of a value, with the field around each.
func eachField(v *loader.Value, visit func(around, field string, v *loader.Value)) {
	var in func(around string, v *loader.Value)
	in = func(around string, v *loader.Value) {
		for _, f := range v.FieldList() {
			visit(around, f.Key, f.Value)
			in(f.Key, f.Value)
		}
		for _, item := range v.ItemList() {
			in(around, item)
		}
	}
	in("", v)
}

// keyHash is what the hash of a key looks like (plugins/traffic_plugin.go, validateAPIKeyHash).
var keyHash = regexp.MustCompile(`^sha256:[0-9a-fA-F]{64}$`)

// wrongKey says what is wrong with an API key in a ConfigMap, which may hold hashes alone, or is empty.
func wrongKey(entry *loader.Value) string {
	text := strings.TrimSpace(entry.Text)
	if entry.Opaque || loader.Placeholder(text) {
		return ""
	}
	var key struct{ Key, KeyHash string }
	switch {
	case text == "":
		return "is an empty key"
	case !strings.HasPrefix(text, "{"):
		return "is a key in plain text; a ConfigMap may hold its hash alone"
	case json.Unmarshal([]byte(text), &key) != nil:
		return "is not valid JSON"
	case (key.Key == "") == (key.KeyHash == ""):
		return "has not exactly one of key and keyHash"
	case key.Key != "":
		return "is a key in plain text; a ConfigMap may hold its hash alone"
	case !keyHash.MatchString(key.KeyHash):
		return "has a keyHash that is not sha256: and 64 hexadecimal digits"
	}
	return ""
}
