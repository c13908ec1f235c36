package config

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/gwplan/gwplan/loader"
)

// read copies the values into the Config and checks what the schema cannot express. It
// skips values of the wrong shape, which are reported already.
func (r *reader) read(root *loader.Value) {
	c := r.config
	for i, v := range root.List("environments") {
		r.environment(v, place{path: "environments"}.item(i, r.text.position(v)))
	}
	r.kinds(root.List("kinds"))
	if v := root.Get("complete"); v != nil {
		c.Complete = v.Shape == loader.Bool && v.Text == "true"
	}
	r.ages(root.Get("ages").FieldList())
	r.namespaces(root.Get("namespaces").FieldList())
	r.controllers(root.Get("controllers").FieldList())
	for _, f := range root.Get("versions").FieldList() {
		if r.config.Versions == nil {
			r.config.Versions = map[string]string{}
		}
		r.config.Versions[f.Key] = f.Value.Text
	}
	r.roots(root.Get("roots").FieldList())
	r.external(root.List("external"))
	r.owners(root.Get("owners").FieldList())
	r.rules(root.Get("rules").FieldList())
	for i, v := range root.List("ignore") {
		if v.Shape == loader.Map {
			r.ignore(v, place{path: "ignore"}.item(i, r.text.position(v)))
		}
	}
}

func (r *reader) external(items []*loader.Value) {
	for _, v := range items {
		if v.Shape != loader.String {
			continue
		}
		id, err := ParseNode(v.Text)
		if err != nil {
			message, hint := halves(err)
			r.mistake(r.text.position(v), message, hint)
			continue
		}
		r.config.External = append(r.config.External, id)
	}
}

// halves splits an error text into what is wrong and the hint.
func halves(err error) (message, hint string) {
	text := err.Error()
	// The first half quotes text of the file, which may contain "; ".
	if i := strings.LastIndex(text, "; "); i >= 0 {
		return text[:i], text[i+2:]
	}
	return text, ""
}

func (r *reader) kinds(items []*loader.Value) {
	first := map[string]int{}
	for i, v := range items {
		p := place{path: "kinds"}.item(i, r.text.position(v))
		if kind := v.Get("kind"); kind != nil && kind.IsEmpty() {
			r.mistake(r.text.position(kind), p.path+".kind is empty", "name the policy kind")
		}
		key := v.Str("kind") + "." + v.Str("group")
		if line, again := first[key]; again && v.Str("kind") != "" {
			r.mistake(p.at, fmt.Sprintf("%s is %s again, first in line %d", p.path, quote(key), line), "keep one of them")
		}
		if _, again := first[key]; !again {
			first[key] = p.at.Line
		}
		if entry, ok := v.Plain().(map[string]any); ok {
			r.config.Kinds = append(r.config.Kinds, entry)
		}
	}
}

func (r *reader) ages(fields []loader.Field) {
	for _, f := range fields {
		id, err := ParseNode(f.Key)
		if err != nil {
			message, hint := halves(err)
			r.wrongKey(f, message, hint)
		}
		if err != nil || f.Value.Shape != loader.String {
			continue
		}
		if _, again := r.config.Ages[id]; again {
			r.wrongKey(f, fmt.Sprintf("ages has %s twice", quote(id.String())), "keep one of them")
		}
		age, err := time.Parse(time.RFC3339, f.Value.Text)
		if err != nil {
			r.mistake(r.text.position(f.Value), quote(f.Value.Text)+" is not a time",
				"write it as creationTimestamp does, such as 2024-01-02T03:04:05Z")
			continue
		}
		if r.config.Ages == nil {
			r.config.Ages = map[loader.ID]time.Time{}
		}
		r.config.Ages[id] = age.UTC()
	}
}

func (r *reader) namespaces(fields []loader.Field) {
	for _, f := range fields {
		if !isNamespace(f.Key) {
			r.wrongKey(f, quote(f.Key)+" is not a valid name of a Namespace", "use lower case letters, digits and dashes")
		}
		labels := map[string]string{}
		for _, l := range f.Value.Get("labels").FieldList() {
			labels[l.Key] = l.Value.Text
		}
		if r.config.Namespaces == nil {
			r.config.Namespaces = map[string]map[string]string{}
		}
		r.config.Namespaces[f.Key] = labels
	}
}

func (r *reader) controllers(fields []loader.Field) {
	for _, f := range fields {
		if !isClass(f.Key) {
			r.wrongKey(f, quote(f.Key)+" is not a valid name of a GatewayClass",
				"write its metadata.name alone: lower case letters, digits, dashes and dots")
		}
		if f.Value.Shape != loader.String {
			continue
		}
		if !isController(f.Value.Text) {
			r.mistake(r.text.position(f.Value), quote(f.Value.Text)+" is no controllerName",
				"write DOMAIN/PATH as in spec.controllerName, such as gateway.envoyproxy.io/gatewayclass-controller")
		}
		if r.config.Controllers == nil {
			r.config.Controllers = map[string]string{}
		}
		r.config.Controllers[f.Key] = f.Value.Text
	}
}

func (r *reader) owners(fields []loader.Field) {
	for _, f := range fields {
		if !isHostname(f.Key) {
			r.wrongKey(f, quote(f.Key)+" is not a hostname", "write it in lower case as a route does, such as shop.example.com or *.example.com")
		}
		if r.config.Owners == nil {
			r.config.Owners = map[string][]string{}
		}
		namespaces := []string{}
		for _, v := range f.Value.ItemList() {
			if v.Shape == loader.String && !isNamespace(v.Text) {
				r.mistake(r.text.position(v), quote(v.Text)+" is not a valid name of a Namespace", "use lower case letters, digits and dashes")
			}
			namespaces = append(namespaces, v.Text)
		}
		r.config.Owners[f.Key] = namespaces
	}
}

func (r *reader) roots(fields []loader.Field) {
	for _, f := range fields {
		if !isNamespace(f.Key) {
			r.wrongKey(f, quote(f.Key)+" is not a system", "write the word before the slash in the id of a kind, such as istio")
		}
		if f.Value.Shape != loader.String {
			continue
		}
		if !isNamespace(f.Value.Text) {
			r.mistake(r.text.position(f.Value), quote(f.Value.Text)+" is not a valid name of a Namespace", "use lower case letters, digits and dashes")
		}
		if r.config.Roots == nil {
			r.config.Roots = map[string]string{}
		}
		r.config.Roots[f.Key] = f.Value.Text
	}
}

// ruleID is the form of a rule id. This package has no list of the existing rules.
var ruleID = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (r *reader) rules(fields []loader.Field) {
	for _, f := range fields {
		if !ruleID.MatchString(f.Key) {
			r.wrongKey(f, notRule(f.Key), rulesHint)
		}
		severity := f.Value.Text
		if f.Value.Shape == loader.Bool {
			// YAML 1.1 parses an unquoted off as false.
			severity = "off"
		}
		if r.config.Rules == nil {
			r.config.Rules = map[string]string{}
		}
		r.config.Rules[f.Key] = severity
	}
}

const rulesHint = "write one as `gwplan rules` lists them, such as unattached-policy"

func notRule(id string) string { return quote(id) + " is no id of a rule" }

func (r *reader) ignore(v *loader.Value, p place) {
	out := Ignore{Rule: v.Str("rule"), Target: v.Str("target"), Reason: strings.TrimSpace(v.Str("reason")), Position: p.at}
	if rule := stringAt(v, "rule"); rule != nil && out.Rule != "*" && !ruleID.MatchString(out.Rule) {
		r.mistake(r.text.position(rule), notRule(out.Rule), rulesHint)
	}
	if target := stringAt(v, "target"); target != nil {
		if message, hint := checkPattern(target.Text); message != "" {
			r.mistake(r.text.position(target), p.path+".target "+message, hint)
		}
	}
	if reason := stringAt(v, "reason"); reason != nil && out.Reason == "" {
		r.mistake(r.text.position(reason), p.path+".reason is empty", "say why these findings do not matter")
	}
	if expires := stringAt(v, "expires"); expires != nil {
		day, err := time.Parse(time.DateOnly, expires.Text)
		if err != nil {
			r.mistake(r.text.position(expires), quote(expires.Text)+" is not a date", "write it as YYYY-MM-DD")
		}
		out.Expires = day
	}
	r.config.Ignore = append(r.config.Ignore, out)
}

// stringAt returns the string value at a key, or nil.
func stringAt(v *loader.Value, key string) *loader.Value {
	if s := v.Get(key); s != nil && s.Shape == loader.String {
		return s
	}
	return nil
}
