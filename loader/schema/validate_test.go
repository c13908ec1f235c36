package schema

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// rootOf parses one document.
func rootOf(t *testing.T, text string) manifest.Document {
	t.Helper()
	file := manifest.Decode([]byte(text), manifest.Options{ParseAll: true})
	if len(file.Problems) > 0 || len(file.Documents) != 1 {
		t.Fatalf("%d documents, %v", len(file.Documents), file.Problems)
	}
	return file.Documents[0]
}

func violations(t *testing.T, set *Set, text, old string) string {
	t.Helper()
	d := rootOf(t, text)
	var before *loader.Value
	if old != "" {
		before = rootOf(t, old).Root
	}
	root := set.Apply(d.Group, d.Version, d.Kind, d.Root)
	var out []string
	found, _, _ := NewValidator().Validate(set, d.Group, d.Version, d.Kind, root, before)
	for _, v := range found {
		out = append(out, v.Path+": "+v.Message)
	}
	return strings.Join(out, "; ")
}

func TestValidateGatewayAPI(t *testing.T) {
	route := func(rules string) string {
		return "{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r}, spec: {rules: [" + rules + "]}}"
	}
	gateway := func(listeners string) string {
		return "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, listeners: [" + listeners + "]}}"
	}
	class := func(name string) string {
		return "{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: c}, spec: {controllerName: " + name + "}}"
	}
	for _, tt := range []struct{ name, manifest, old, want string }{
		{name: "valid", manifest: route("{backendRefs: [{name: svc, port: 80}]}")},
		{name: "an expression", manifest: route("{backendRefs: [{name: svc}]}"), want: "spec.rules[0].backendRefs[0]: Must have port for Service reference"},
		{
			name: "a word that CEL reserves", manifest: strings.Replace(route("{}"), "spec: {", "spec: {parentRefs: [{name: g, namespace: a}, {name: g, namespace: a}], ", 1),
			want: "spec.parentRefs: sectionName or port must be unique when parentRefs includes 2 or more references to the same parent",
		},
		{name: "a value that is not allowed", manifest: route("{matches: [{path: {type: Glob, value: /}}]}"), want: "spec.rules[0].matches[0].path.type: must be one of Exact, PathPrefix, RegularExpression"},
		{name: "a type", manifest: gateway("{name: a, port: http, protocol: HTTP}"), want: "spec.listeners[0].port: must be of type integer"},
		{name: "a limit", manifest: gateway("{name: a, port: 70000, protocol: HTTP}"), want: "spec.listeners[0].port: must be at most 65535"},
		{name: "a pattern", manifest: gateway("{name: a, port: 80, protocol: HTTP, hostname: A_B}"), want: "spec.listeners[0].hostname: must match "},
		{name: "a field that is required", manifest: gateway("{port: 80, protocol: HTTP}"), want: "spec.listeners[0]: name is required"},
		{name: "a duplicate", manifest: gateway("{name: a, port: 80, protocol: HTTP}, {name: a, port: 81, protocol: HTTP}"), want: "spec.listeners[1]: is a duplicate by name; spec.listeners: Listener name must be unique within the Gateway"},
		{name: "a variable", manifest: gateway("{name: a, port: 80, protocol: HTTP, hostname: '${HOST}'}")},
		{name: "a transition", manifest: class("acme.io/b"), old: class("acme.io/a"), want: "spec.controllerName: field is immutable"},
		{name: "no transition", manifest: class("acme.io/a"), old: class("acme.io/a")},
		{name: "an address", manifest: "{apiVersion: gateway.networking.k8s.io/v1, kind: TLSRoute, metadata: {name: r}, spec: {hostnames: [10.0.0.1], rules: [{backendRefs: [{name: svc, port: 443}]}]}}", want: "spec.hostnames: Hostnames cannot contain an IP"},
		{name: "a version without a schema", manifest: "{apiVersion: gateway.networking.k8s.io/v9, kind: HTTPRoute, metadata: {name: r}, spec: 1}"},
		{name: "a kind without a schema", manifest: "{apiVersion: acme.io/v1, kind: Own, metadata: {name: r}, spec: 1}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := violations(t, Builtin(), tt.manifest, tt.old)
			if got != tt.want && (tt.want == "" || !strings.HasPrefix(got, tt.want)) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A CRD of the input replaces the embedded schemas, and none of its expressions can cost more than
// the limits.
// crdOfOwn is a CRD with a schema of the spec, and own an object of it.
func crdOfOwn(t *testing.T, schema string) *Set {
	return Builtin().With([]*loader.Value{rootOf(t, "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: owns.acme.io}, spec: {group: acme.io, "+
		"names: {kind: Own}, versions: [{name: v1, schema: {openAPIV3Schema: {type: object, properties: {spec: "+schema+"}}}}]}}").Root})
}

func own(spec string) string {
	return "{apiVersion: acme.io/v1, kind: Own, metadata: {name: o}, spec: " + spec + "}"
}

func TestValidateByCRD(t *testing.T) {
	crd := func(schema string) *Set { return crdOfOwn(t, schema) }
	list := "[" + strings.Repeat("1, ", 3000) + "1]"
	for _, tt := range []struct{ name, schema, spec, want string }{
		{"an expression for the message may repeat a secret", "{type: object, x-kubernetes-validations: [{rule: 'self.a < 3', messageExpression: '\"a is \" + string(self.a)'}]}", "{a: 5}", "spec: must satisfy self.a < 3"},
		{"no message", "{type: object, x-kubernetes-validations: [{rule: 'self.a < 3'}]}", "{a: 5}", "spec: must satisfy self.a < 3"},
		{"a field with a dash", "{type: object, properties: {a-b: {type: integer}}, x-kubernetes-validations: [{rule: 'self.a__dash__b < 3', message: wrong}]}", "{a-b: 5}", "spec: wrong"},
		{"a free map", "{type: object, additionalProperties: {type: string}, x-kubernetes-validations: [{rule: '\"a-b\" in self', message: wrong}]}", "{a-b: x}", ""},
		{"integer or string", "{x-kubernetes-int-or-string: true}", "{}", "spec: must be of type integer or string"},
		{"an expression that does not compile", "{type: object, x-kubernetes-validations: [{rule: 'self.'}]}", "{a: 5}", ""},
		{"an unknown function", "{type: object, x-kubernetes-validations: [{rule: 'semver(self.a).major() == 1'}]}", "{a: x}", ""},
		{"an address", "{type: object, x-kubernetes-validations: [{rule: 'isIP(self.a)', message: wrong}]}", "{a: x}", "spec: wrong"},
		{"a format", "{type: object, x-kubernetes-validations: [{rule: '!format.dns1123Label().validate(self.a).hasValue()', message: wrong}]}", "{a: a_b}", "spec: wrong"},
		{"a quantity", "{type: object, x-kubernetes-validations: [{rule: '!quantity(string(self.a)).isGreaterThan(quantity(\"1677215\"))', message: wrong}]}", "{a: 16777216}", "spec: wrong"},
		{"a URL", "{type: object, x-kubernetes-validations: [{rule: 'url(self.a).getScheme() in [\"http\", \"https\"]', message: wrong}]}", "{a: 'ftp://a.example'}", "spec: wrong"},
		{"a field that is not there", "{type: object, x-kubernetes-validations: [{rule: 'self.a.size() > 0', message: wrong}]}", "{b: x}", "spec: wrong"},
		{"an item that is not there", "{type: object, x-kubernetes-validations: [{rule: 'self.a[1] > 0', message: wrong}]}", "{a: [1]}", "spec: wrong"},
		{"an alternative to a field that is not there", "{type: object, x-kubernetes-validations: [{rule: 'self.a.size() > 0 || has(self.b)', message: wrong}]}", "{b: x}", ""},
		{"an expression that costs too much", "{type: object, x-kubernetes-validations: [{rule: 'self.a.all(x, self.a.all(y, self.a.all(z, x + y + z > 0)))', message: wrong}]}", "{a: " + list + "}", ""},
		{"a long expression", "{type: object, x-kubernetes-validations: [{rule: 'self.a < 3 && " + strings.Repeat("true && ", 2000) + "true'}]}", "{a: 5}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := violations(t, crd(tt.schema), own(tt.spec), ""); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestValidateEqualValues holds that expressions are evaluated once for values that are equal, and that each wrong one is
// reported.
func TestValidateEqualValues(t *testing.T) {
	set := crdOfOwn(t, "{type: object, x-kubernetes-validations: [{rule: 'self.a.all(x, self.a.all(y, x + y < 9))', message: wrong}]}")
	validator := NewValidator()
	for i := range 6_000 {
		spec := "{a: [1, 2, 3, 4]}"
		if i%100 == 0 {
			spec = "{a: [1, 2, 3, 9]}"
		}
		d := rootOf(t, own(spec))
		found, _, skipped := validator.Validate(set, d.Group, d.Version, d.Kind, d.Root, nil)
		if (len(found) == 1) != (i%100 == 0) || skipped != None {
			t.Fatalf("object %d: %v, skipped %d", i, found, skipped)
		}
	}
	if spent := maxCost - validator.left; spent > maxCost/100 {
		t.Errorf("it has cost %d", spent)
	}
}

// What the schema of a stranger would take minutes or gigabytes for is not evaluated, nor what calls a function that is not known, and the validator says so.
func TestHostileSchemas(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	rule := func(expression string) string {
		return `{type: object, x-kubernetes-validations: [{rule: "` + expression + `", message: wrong}]}`
	}
	for _, tt := range []struct{ name, schema, spec string }{
		{"a replacement that squares a text", rule("self.t.replace('', self.t) == ''"), "{t: " + long + "}"},
		{"an unknown function", rule("semver(self.t).major() == 1"), "{t: x}"},
		{"a chain of macros", rule("optional.of(1)" + strings.Repeat(".optMap(x, x)", 12) + ".value() == 2"), "{t: x}"},
		{"a large expression on a text", rule("self.t.matches('" + strings.Repeat("x{1000}", 100) + "')"), "{t: " + long + "}"},
		{"texts that are added up", rule("[1,2,3,4,5,6,7,8,9].map(i, self.t" + strings.Repeat(" + self.t", 100) + ") == []"), "{t: " + long + "}"},
		{"a pattern with repetitions on a long text", "{type: object, properties: {t: {type: string, pattern: 'x{1000}y'}}}", "{t: " + long + "}"},
		{"a pattern of many repetitions", "{type: object, properties: {t: {type: string, pattern: '" + strings.Repeat("x{1000}", 300) + "'}}}", "{t: x}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := Builtin().With([]*loader.Value{rootOf(t, "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: owns.acme.io}, spec: {group: acme.io, "+
				"names: {kind: Own}, versions: [{name: v1, schema: {openAPIV3Schema: {type: object, properties: {spec: "+tt.schema+"}}}}]}}").Root})
			v := NewValidator()
			found, _, skipped := v.Validate(set, "acme.io", "v1", "Own", rootOf(t, "{apiVersion: acme.io/v1, kind: Own, metadata: {name: o}, spec: "+tt.spec+"}").Root, nil)
			if want := map[bool]Skipped{true: NotKnown, false: TooCostly}[strings.Contains(tt.schema, "semver")]; len(found) > 0 || skipped != want {
				t.Errorf("%d violations, skipped %v, want %v", len(found), skipped, want)
			}
		})
	}
}
