package config_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/config"
)

// mistake is a file and all that is wrong with it.
type mistake struct {
	name, text string
	// want are the lines without the name of the file.
	want []string
	// beyond says that a schema cannot tell.
	beyond bool
}

const (
	notClass      = "is not a valid name of a GatewayClass; write its metadata.name alone: lower case letters, digits, dashes and dots"
	notController = "is no controllerName; write DOMAIN/PATH as in spec.controllerName, such as gateway.envoyproxy.io/gatewayclass-controller"
)

func mistakes() []mistake {
	return []mistake{
		// The file.
		{name: "syntax", text: "a: [", want: []string{"1: did not find expected node content"}, beyond: true},
		{name: "key twice", text: "complete: true\ncomplete: true\n", want: []string{`2:1: the key "complete" is given twice, first in line 1; keep one of them`}, beyond: true},
		{name: "two documents", text: "complete: true\n---\nrules: {}\n", want: []string{"3:1: the file holds a second document; put everything into one"}, beyond: true},
		{name: "a list", text: "- a\n", want: []string{"1:1: the file is a list, not a map; write keys and values below it"}},
		{name: "a text", text: "hello\n", want: []string{"1:1: the file is a string, not a map; write keys and values below it"}},
		// Keys.
		{name: "unknown key, near", text: "enviroments: []\n", want: []string{"1:1: enviroments is not a known key; did you mean environments?"}},
		{name: "unknown key, other case", text: "complete: true\nIgnore: []\n", want: []string{"2:1: Ignore is not a known key; did you mean ignore?"}},
		{name: "unknown key, far", text: "x: 1\n", want: []string{"1:1: x is not a known key; use one of ages, complete, controllers, environments, external, ignore, kinds, namespaces, owners, roots, rules, versions"}},
		{name: "unknown key, quoted", text: "{ \"a b\" : 1}\n", want: []string{`1:3: ["a b"] is not a known key; use one of ages, complete, controllers, environments, external, ignore, kinds, namespaces, owners, roots, rules, versions`}},
		{name: "unknown key, block scalar", text: "ignores: |\n  x\n", want: []string{"1:1: ignores is not a known key; did you mean ignore?"}},
		{name: "unknown key, no value", text: "ruls:\n", want: []string{"1:1: ruls is not a known key; did you mean rules?"}},
		{name: "unknown key, behind other letters", text: "ignore: [{rule: \"*\", reason: ü, rul: x}]\n", want: []string{"1:33: ignore[0].rul is not a known key; did you mean rule?"}},
		{name: "control characters", text: "\"\\e[31m\": 1\n", want: []string{`1:11: ["\x1b[31m"] is not a known key; use one of ages, complete, controllers, environments, external, ignore, kinds, namespaces, owners, roots, rules, versions`}},
		// Types.
		{name: "text for list", text: "environments: prod\n", want: []string{"1:15: environments is a string, not a list; write each item behind a dash"}},
		{name: "map for list", text: "external:\n  a: b\n", want: []string{"1:1: external is a map, not a list; write each item behind a dash"}},
		{name: "list for map", text: "rules:\n- a\n", want: []string{"1:1: rules is a list, not a map; write keys and values below it"}},
		{name: "text for boolean", text: "complete: \"yes\"\n", want: []string{"1:11: complete is a string, not a boolean; write true or false"}},
		{name: "null for boolean", text: "complete:\n", want: []string{"1:1: complete is null, not a boolean; give it a value, or leave it out"}},
		{name: "boolean for text", text: "namespaces: {shop: {labels: {paid: true}}}\n", want: []string{"1:36: namespaces.shop.labels.paid is a boolean, not a string; quote it"}},
		{name: "number for text", text: "external: [1]\n", want: []string{"1:12: external[0] is a number, not a string; quote it"}},
		{name: "map for text", text: "external: [{a: b}]\n", want: []string{"1:12: external[0] is a map, not a string; write one text"}},
		// Environments.
		{name: "no name, no paths", text: "environments:\n- {}\n", want: []string{
			"2:3: environments[0] has no name; add it: the name of the environment in reports and for -e",
			"2:3: environments[0] has no paths; add the folders, kustomizations or files that it is made of",
		}},
		{name: "path and paths", text: "environments: [{name: a, path: b, paths: [c]}]\n", want: []string{"1:26: environments[0] has both path and paths; keep paths"}},
		{name: "no path", text: "environments: [{name: a, paths: []}]\n", want: []string{"1:26: environments[0].paths is empty; add the folders, kustomizations or files that it is made of"}},
		{name: "name twice", text: "environments:\n- {name: a, path: b}\n- {name: a, path: c}\n", want: []string{`3:10: the environment "a" is defined twice, first in line 2; rename one of them, or join their paths`}, beyond: true},
		{name: "empty name", text: "environments: [{name: \"\", path: b}]\n", want: []string{"1:23: environments[0].name is empty; name the environment"}},
		{name: "padded name", text: "environments: [{name: \"a \", path: b}]\n", want: []string{`1:23: "a " is not a valid name of an environment; use one line of printable text without space around it`}},
		{name: "absolute path", text: "environments: [{name: a, path: /etc}]\n", want: []string{`1:32: environments[0].path "/etc" is absolute; write it relative to the root of the repository`}},
		{name: "drive", text: "environments: [{name: a, path: 'c:\\x'}]\n", want: []string{`1:32: environments[0].path "c:\\x" is absolute; write it relative to the root of the repository`}},
		{name: "path upwards", text: "environments: [{name: a, paths: [b, c/../../d]}]\n", want: []string{`1:37: environments[0].paths[1] "c/../../d" points outside the repository; write it relative to the root of the repository, without ..`}},
		{name: "path upwards in braces", text: "environments: [{name: a, path: \"{..,b}\"}]\n", want: []string{`1:32: environments[0].path "{..,b}" points outside the repository; write it relative to the root of the repository, without ..`}},
		{name: "empty path", text: "environments: [{name: a, path: ''}]\n", want: []string{"1:32: environments[0].path is empty; use . for the whole repository"}},
		{name: "bad glob", text: "environments: [{name: a, path: 'a[b'}]\n", want: []string{`1:32: environments[0].path "a[b" is not a valid glob; close its brackets and braces, or put a backslash before them`}, beyond: true},
		// Kinds.
		{name: "kind without kind", text: "kinds:\n- profile: gep\n", want: []string{
			"2:3: kinds[0] has no group; add it: the API group of the kind",
			"2:3: kinds[0] has no kind; add it: the name of the kind, such as RetryPolicy",
		}},
		{name: "empty kind", text: "kinds: [{group: a, kind: ''}]\n", want: []string{"1:26: kinds[0].kind is empty; name the policy kind"}},
		{name: "kind twice", text: "kinds:\n- {group: a, kind: B}\n- {group: a, kind: C}\n- {group: a, kind: B}\n", want: []string{`4:3: kinds[2] is "B.a" again, first in line 2; keep one of them`}, beyond: true},
		{name: "field of a kind", text: "kinds: [{group: a, kind: B, merge: {levels: {hop: all}}}]\n", want: []string{"1:46: kinds[0].merge.levels.hop is not a known key; did you mean hops?"}},
		{name: "word of a kind", text: "kinds: [{group: a, kind: B, merge: {levels: {hops: al}}}]\n", want: []string{`1:52: kinds[0].merge.levels.hops is "al", which is not an allowed value; did you mean all?`}},
		{name: "null is a word", text: "kinds: [{group: a, kind: B, protects: [{path: a, what: null, loosens: added}]}]\n", want: []string{"1:56: kinds[0].protects[0].what is null, not a word; use one of authentication, authorisation, tls, limits, headers, exposure"}},
		{name: "many words", text: "kinds: [{group: a, kind: B, levels: [Pod]}]\n", want: []string{`1:38: kinds[0].levels[0] is "Pod", which is not an allowed value; use one of GatewayClass, Namespace@Gateway, Gateway, Gateway:listener, Namespace@ListenerSet, ListenerSet, ListenerSet:listener, Namespace@Frontend, Frontend, Frontend:port, Namespace@Route, Route and others`}},
		// Ages, namespaces, external.
		{name: "age of no node", text: "ages:\n  pay: 2024-01-02T03:04:05Z\n", want: []string{`2:3: "pay" is no node; write KIND[.GROUP]/NAMESPACE/NAME, or KIND/NAME without a namespace`}},
		{name: "no time", text: "ages:\n  Service/shop/pay: 2024-01-02\n", want: []string{`2:21: "2024-01-02" is not a time; write it as creationTimestamp does, such as 2024-01-02T03:04:05Z`}},
		{name: "no month", text: "ages: {Service/shop/pay: 2024-13-02T03:04:05Z}\n", want: []string{`1:26: "2024-13-02T03:04:05Z" is not a time; write it as creationTimestamp does, such as 2024-01-02T03:04:05Z`}, beyond: true},
		{name: "age of a number", text: "ages: {Service/shop/pay: 5}\n", want: []string{`1:26: ages["Service/shop/pay"] is a number, not a string; quote it`}},
		{name: "age twice", text: "ages:\n  Gateway/a/b: 2024-01-02T03:04:05Z\n  Gateway.gateway.networking.k8s.io/a/b: 2024-01-02T03:04:05Z\n", want: []string{`3:3: ages has "Gateway/a/b" twice; keep one of them`}, beyond: true},
		{name: "no namespace", text: "namespaces: {Shop: {}}\n", want: []string{`1:14: "Shop" is not a valid name of a Namespace; use lower case letters, digits and dashes`}},
		{name: "key of a namespace", text: "namespaces: {shop: {label: {}}}\n", want: []string{"1:21: namespaces.shop.label is not a known key; did you mean labels?"}},
		{name: "external section", text: "external: [Gateway/infra/public#https]\n", want: []string{`1:12: "Gateway/infra/public#https" names a section; write the object alone, without what begins at #`}},
		{name: "external with semicolon", text: "external: ['a; b']\n", want: []string{`1:12: "a; b" is no node; write KIND[.GROUP]/NAMESPACE/NAME, or KIND/NAME without a namespace`}},
		{name: "external without group", text: "external: [RetryPolicy/shop/slow]\n", want: []string{`1:12: "RetryPolicy" is a kind of neither core nor Gateway API; write its group, as in RetryPolicy.GROUP/NAMESPACE/NAME`}, beyond: true},
		{name: "no system", text: "roots: {Istio: mesh}\n", want: []string{`1:9: "Istio" is not a system; write the word before the slash in the id of a kind, such as istio`}},
		{name: "no root namespace", text: "roots: {istio: Mesh}\n", want: []string{`1:16: "Mesh" is not a valid name of a Namespace; use lower case letters, digits and dashes`}},
		// Controllers.
		{name: "no class", text: "controllers:\n  GatewayClass/public: example.com/eg\n", want: []string{`2:3: "GatewayClass/public" ` + notClass}},
		{name: "upper case class", text: "controllers: {Public: example.com/eg}\n", want: []string{`1:15: "Public" ` + notClass}},
		{name: "class with an empty label", text: "controllers: {a..b: example.com/eg}\n", want: []string{`1:15: "a..b" ` + notClass}},
		{name: "long class", text: "controllers:\n  ? " + strings.Repeat("a", 254) + "\n  : example.com/eg\n", want: []string{`3:5: "` + strings.Repeat("a", 80) + `"... ` + notClass}},
		{name: "controller without path", text: "controllers:\n  public: envoy-gateway\n", want: []string{`2:11: "envoy-gateway" ` + notController}},
		{name: "controller with empty path", text: "controllers: {public: example.com/}\n", want: []string{`1:23: "example.com/" ` + notController}},
		{name: "controller with empty domain", text: "controllers: {public: /eg}\n", want: []string{`1:23: "/eg" ` + notController}},
		{name: "controller in upper case", text: "controllers: {public: Example.com/eg}\n", want: []string{`1:23: "Example.com/eg" ` + notController}},
		{name: "controller with space", text: "controllers: {public: example.com/e g}\n", want: []string{`1:23: "example.com/e g" ` + notController}},
		{name: "controller in lines", text: "controllers: {public: \"example.com/eg\\n\"}\n", want: []string{`1:23: "example.com/eg\n" ` + notController}},
		{name: "long controller", text: "controllers: {public: a/" + strings.Repeat("b", 252) + "}\n", want: []string{`1:23: "a/` + strings.Repeat("b", 78) + `"... ` + notController}},
		{name: "empty controller", text: "controllers: {public: ''}\n", want: []string{`1:23: "" ` + notController}},
		{name: "no controller", text: "controllers:\n  public:\n", want: []string{"2:3: controllers.public is null, not a string; give it a value, or leave it out"}},
		{name: "controller as in the manifest", text: "controllers: {public: {controllerName: example.com/eg}}\n", want: []string{"1:15: controllers.public is a map, not a string; write one text"}},
		{name: "class and controller", text: "controllers: {-a: b}\n", want: []string{
			`1:15: "-a" ` + notClass,
			`1:19: "b" ` + notController,
		}},
		// Rules and ignores.
		{name: "severity", text: "rules:\n  kind-assumed: warn\n", want: []string{`2:17: rules.kind-assumed is "warn", which is not an allowed value; did you mean warning?`}},
		{name: "severity, near", text: "rules: {kind-assumed: eror}\n", want: []string{`1:23: rules.kind-assumed is "eror", which is not an allowed value; did you mean error?`}},
		{name: "severity on", text: "rules: {kind-assumed: on}\n", want: []string{"1:23: rules.kind-assumed is a boolean, not a word; use one of error, warning, note, off"}},
		{name: "rule", text: "rules: {Kind_assumed: note}\n", want: []string{"1:9: \"Kind_assumed\" is no id of a rule; write one as `gwplan rules` lists them, such as unattached-policy"}},
		{name: "any rule has no severity", text: "rules: {\"*\": off}\n", want: []string{"1:9: \"*\" is no id of a rule; write one as `gwplan rules` lists them, such as unattached-policy"}},
		{name: "no reason", text: "ignore:\n- rule: kind-assumed\n", want: []string{"2:3: ignore[0] has no reason; add it: why these findings do not matter"}},
		{name: "blank reason", text: "ignore: [{rule: kind-assumed, reason: ' '}]\n", want: []string{"1:39: ignore[0].reason is empty; say why these findings do not matter"}},
		{name: "no rule", text: "ignore: [{reason: x}]\n", want: []string{"1:10: ignore[0] has no rule; add it: the id of a rule, or * for every rule"}},
		{name: "bad rule", text: "ignore: [{rule: kind*, reason: x}]\n", want: []string{"1:17: \"kind*\" is no id of a rule; write one as `gwplan rules` lists them, such as unattached-policy"}},
		{name: "empty target", text: "ignore: [{rule: a, target: '', reason: x}]\n", want: []string{"1:28: ignore[0].target is empty; use ** for everything"}},
		{name: "bad target", text: "ignore: [{rule: a, target: 'a{b', reason: x}]\n", want: []string{`1:28: ignore[0].target "a{b" is not a valid glob; close its brackets and braces, or put a backslash before them`}, beyond: true},
		{name: "long target", text: "ignore: [{rule: a, target: '" + strings.Repeat("a", 1025) + "', reason: x}]\n", want: []string{"1:28: ignore[0].target has 1025 bytes, over the limit of 1024; shorten it"}},
		{name: "no date", text: "ignore: [{rule: a, reason: x, expires: soon}]\n", want: []string{`1:40: "soon" is not a date; write it as YYYY-MM-DD`}},
		{name: "no such day", text: "ignore: [{rule: a, reason: x, expires: 2026-02-30}]\n", want: []string{`1:40: "2026-02-30" is not a date; write it as YYYY-MM-DD`}, beyond: true},
		{name: "an item that is not a map", text: "ignore: [a]\nenvironments: [b]\nkinds: [c]\n", want: []string{
			"1:10: ignore[0] is a string, not a map; write keys and values below it",
			"2:16: environments[0] is a string, not a map; write keys and values below it",
			"3:9: kinds[0] is a string, not a map; write keys and values below it",
		}},
		{name: "everything at once", text: "ignore:\n- {rule: A, target: '[', reson: x}\nrules: {a: b}\ncomplte: true\n", want: []string{
			"2:3: ignore[0] has no reason; add it: why these findings do not matter",
			"2:10: \"A\" is no id of a rule; write one as `gwplan rules` lists them, such as unattached-policy",
			`2:21: ignore[0].target "[" is not a valid glob; close its brackets and braces, or put a backslash before them`,
			"2:26: ignore[0].reson is not a known key; did you mean reason?",
			`3:12: rules.a is "b", which is not an allowed value; use one of error, warning, note, off`,
			"4:1: complte is not a known key; did you mean complete?",
		}},
	}
}

func TestMistakes(t *testing.T) {
	for _, tt := range mistakes() {
		c, err := config.Parse(file, []byte(tt.text))
		if err == nil || c != nil {
			t.Errorf("%s: %+v, %v", tt.name, c, err)
			continue
		}
		want := file + ":" + strings.Join(tt.want, "\n"+file+":")
		if err.Error() != want {
			t.Errorf("%s:\n%v\nwant\n%s", tt.name, err, want)
		}
	}
}
