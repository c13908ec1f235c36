package effective_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
)

// A pattern of an entry reaches the items of lists, whether it writes their
// positions or not, and into specs that are collected.
func TestRedactReachesIntoLists(t *testing.T) {
	k := &catalogue.Kind{Entry: catalogue.Entry{
		Secrecy: catalogue.Secrecy{Secret: []string{"providers.*.jwks.inline", "env.value", "headers.*.value"}, Public: []string{"tokens"}},
	}}
	long := strings.Repeat("x", 1<<17)
	for name, tt := range map[string]struct{ spec, want string }{
		"a position in the pattern":    {`{"providers":[{"jwks":{"inline":"s"}}]}`, `{"providers":[{"jwks":{"inline":"<redacted>"}}]}`},
		"a key of a map":               {`{"providers":{"a":{"jwks":{"inline":"s"}}}}`, `{"providers":{"a":{"jwks":{"inline":"<redacted>"}}}}`},
		"no position in the pattern":   {`{"env":[{"name":"a","value":"s"}]}`, `{"env":[{"name":"a","value":"<redacted>"}]}`},
		"another field":                {`{"env":[{"name":"a","other":"s"}]}`, `{"env":[{"name":"a","other":"s"}]}`},
		"collected specs":              {`[{"headers":[{"name":"x","value":"s"}]},{"providers":[{"jwks":{"inline":"s"}}]}]`, `[{"headers":[{"name":"x","value":"<redacted>"}]},{"providers":[{"jwks":{"inline":"<redacted>"}}]}]`},
		"a list under a secret's name": {`{"passwords":["s"]}`, `{"passwords":["<redacted>"]}`},
		"a key with dots":              {`{"providers":{"a.b.c":{"jwks":{"inline":"s"}}}}`, `{"providers":{"a.b.c":{"jwks":{"inline":"<redacted>"}}}}`},
		"a secret's name with dots":    {`{"files":{"password.txt":"s"}}`, `{"files":{"password.txt":"<redacted>"}}`},
		"a number beside its name":     {`{"set":[{"name":"X-Api-Key","value":12345}]}`, `{"set":[{"name":"X-Api-Key","value":"<redacted>"}]}`},
		"a header of Envoy":            {`{"header":{"key":"Authorization","value":"s"}}`, `{"header":{"key":"Authorization","value":"<redacted>"}}`},
		"the path of a patch":          {`[{"op":"add","path":"/a/0/password","value":"s"}]`, `[{"op":"add","path":"/a/0/password","value":"<redacted>"}]`},
		"a patch below a secret":       {`{"path":"/hmac_secret/inline_string","value":{"a":1}}`, `{"path":"/hmac_secret/inline_string","value":"<redacted>"}`},
		"another patch":                {`{"path":"/secret_name","value":"s"}`, `{"path":"/secret_name","value":"s"}`},
		"a text with a secret":         {`{"value":"a: b\nadmin: {access_token: s}\n"}`, `{"value":"<redacted>"}`},
		"a text in JSON":               {`{"value":"{\"password\": \"s\"}"}`, `{"value":"<redacted>"}`},
		"a text with many aliases":     {`{"value":"b: &b ` + long + `\na: [` + strings.Repeat("*b,", 200) + `]\n"}`, `{"value":"<redacted>"}`},
		"a line with a secret":         {`{"value":"password: s"}`, `{"value":"<redacted>"}`},
		"values of a name":             {`[{"name":"x-api-key","values":["s","t"]}]`, `[{"name":"x-api-key","values":["<redacted>","<redacted>"]}]`},
		"values of another name":       {`[{"name":"scope","values":["s"]}]`, `[{"name":"scope","values":["s"]}]`},
		"a key that says a form":       {`{"passwordValue":"s","tokenBase64":"s","valueText":"s"}`, `{"passwordValue":"<redacted>","tokenBase64":"<redacted>","valueText":"s"}`},
		"two documents":                {`{"value":"a: b\n---\npassword: s\n"}`, `{"value":"<redacted>"}`},
		"no document":                  {`{"value":"a: [\npassword: s\n"}`, `{"value":"<redacted>"}`},
		"a header line":                {`{"add":["X-Api-Key:s","X-Other:s"]}`, `{"add":["<redacted>","X-Other:s"]}`},
		"a variable in a header line":  {`{"add":["Authorization: %REQ(x)%","Authorization: $token"]}`, `{"add":["Authorization: %REQ(x)%","Authorization: $token"]}`},
		"a directive of NGINX":         {`{"value":"proxy_set_header X-Api-Key s;"}`, `{"value":"<redacted>"}`},
		"a directive with a variable":  {`{"value":"proxy_set_header Authorization $http_authorization;"}`, `{"value":"proxy_set_header Authorization $http_authorization;"}`},
		"a call in Lua":                {`{"value":"handle:headers():add(\"authorization\", \"Bearer s\")"}`, `{"value":"<redacted>"}`},
		"a comparison in CEL":          {`{"value":"request.headers['x-api-key'] == 's'"}`, `{"value":"<redacted>"}`},
		"a comparison of names":        {`{"value":"auth.identity.token == request.token"}`, `{"value":"auth.identity.token == request.token"}`},
		"a rule of Rego":               {`{"value":"allow {\n  token := input.token\n}"}`, `{"value":"allow {\n  token := input.token\n}"}`},
		"an assignment in Lua":         {`{"value":"local password = 's'"}`, `{"value":"<redacted>"}`},
		"a line without one":           {`{"value":"note: s"}`, `{"value":"note: s"}`},
		"keys that encrypt":            {`{"encryptionKey":"s","shared-key":"s","tls.key":"s","hmac":"s","connectionString":"s"}`, `{"encryptionKey":"<redacted>","shared-key":"<redacted>","tls.key":"<redacted>","hmac":"<redacted>","connectionString":"<redacted>"}`},
		"a map of headers":             {`{"set":{"Authorization":"s","x":"s"},"requestHeaders":{"cookie":"s"}}`, `{"set":{"Authorization":"<redacted>","x":"s"},"requestHeaders":{"cookie":"<redacted>"}}`},
		"a header in a map of its own": {`{"headers":{"authorization":{"plain":{"value":"s","selector":"x.y"}},"x-tenant":{"plain":{"value":"s"}}}}`, `{"headers":{"authorization":{"plain":{"selector":"x.y","value":"<redacted>"}},"x-tenant":{"plain":{"value":"s"}}}}`},
		"settings of authorization":    {`{"authorization":{"defaultAction":"Deny"},"cookie":"name"}`, `{"authorization":{"defaultAction":"Deny"},"cookie":"name"}`},
		"a text without a secret":      {`{"value":"a: b\nc: d\n"}`, `{"value":"a: b\nc: d\n"}`},
		"a public list":                {`{"tokens":["s"]}`, `{"tokens":["s"]}`},
	} {
		var v any
		if err := json.Unmarshal([]byte(tt.spec), &v); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(effective.Redact(k.Discloses(), "", v))
		if err != nil {
			t.Fatal(err)
		}
		// Marshal writes < and > as escapes.
		var back any
		_ = json.Unmarshal(got, &back)
		var want any
		_ = json.Unmarshal([]byte(tt.want), &want)
		if a, b := jsonOf(back), jsonOf(want); a != b {
			t.Errorf("%s: got %s, want %s", name, a, b)
		}
	}
}

func jsonOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
