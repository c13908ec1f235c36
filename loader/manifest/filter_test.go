package manifest

import "testing"

// TestScan holds the cases that a decision by bytes was tried on, and the traps
// found since. Sure answers name the kind.
func TestScan(t *testing.T) {
	const unsure = ""
	for name, tc := range map[string]struct{ in, want string }{
		"plain":                        {"apiVersion: v1\nkind: Service\nmetadata: {}\n", "v1 Service"},
		"kind first":                   {"kind: Service\napiVersion: v1\n", "v1 Service"},
		"CRLF":                         {"apiVersion: apps/v1\r\nkind: Deployment\r\n\r\nspec:\r\n  a: b\r\n", "apps/v1 Deployment"},
		"kind in a block scalar":       {"apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    kind: HTTPRoute\n", "v1 ConfigMap"},
		"list at column 0":             {"apiVersion: v1\nkind: RoleBinding\nsubjects:\n- kind: User\n", "v1 RoleBinding"},
		"comments":                     {"# kind: A\n\napiVersion: v1\n# x\nkind: B\n# kind: C\n", "v1 B"},
		"spaces around":                {"apiVersion:   v1  \nkind:\tB \t\n", "v1 B"},
		"a longer word":                {"apiVersion: v1\nkind: B\nkinds: C\napiVersions: D\n", "v1 B"},
		"indented comment":             {"apiVersion: v1\nkind: B\n  # x\nspec: {}\n", "v1 B"},
		"JSON":                         {`{"apiVersion": "v1", "kind": "B"}`, unsure},
		"flow map":                     {"{apiVersion: v1, kind: B}", unsure},
		"quoted key":                   {"apiVersion: v1\n\"kind\": B\n", unsure},
		"single quotes":                {"apiVersion: v1\n'kind': B\n", unsure},
		"quoted value":                 {"apiVersion: v1\nkind: \"B\"\n", unsure},
		"escaped key":                  {"apiVersion: v1\n\"k\\x69nd\": B\n", unsure},
		"comment on kind":              {"apiVersion: v1\nkind: B # c\n", unsure},
		"List":                         {"apiVersion: v1\nkind: List\n", unsure},
		"typed list":                   {"apiVersion: v1\nkind: ServiceList\n", unsure},
		"anchor at the root":           {"&a\napiVersion: v1\nkind: B\n", unsure},
		"alias as value":               {"apiVersion: v1\nkind: *a\n", unsure},
		"alias as key":                 {"apiVersion: v1\n*a : B\n", unsure},
		"merge key":                    {"apiVersion: v1\nkind: B\n<<: {kind: C}\n", unsure},
		"BOM":                          {"\ufeffapiVersion: v1\nkind: B\n", unsure},
		"kind with a space":            {"apiVersion: v1\nkind : B\n", unsure},
		"value on the next line":       {"apiVersion: v1\nkind:\n  B\n", unsure},
		"value goes on":                {"apiVersion: v1\nkind: B\n  C\n", unsure},
		"value goes on after a blank":  {"apiVersion: v1\nkind: B\n\n  C\n", unsure},
		"tag":                          {"apiVersion: v1\nkind: !!str B\n", unsure},
		"tag on the key":               {"apiVersion: v1\n!!str kind: B\n", unsure},
		"duplicate":                    {"apiVersion: v1\nkind: B\nkind: C\n", unsure},
		"quoted text at column 0":      {"apiVersion: v1\na: \"x\nkind: B\n\"\nkind: C\n", unsure},
		"quoted text, one kind":        {"apiVersion: v1\na: \"x\nkind: B\n\"\n", unsure},
		"flow map goes on at column 0": {"apiVersion: v1\na: {b: c,\nkind: B\n}\n", unsure},
		"indented root":                {"  apiVersion: v1\n  kind: B\n", unsure},
		"indented root, fake kind":     {"  a: \"x\nkind: B\napiVersion: v1\n  \"\n  kind: C\n  apiVersion: v2\n", unsure},
		"no kind":                      {"apiVersion: v1\nspec: {}\n", unsure},
		"no apiVersion":                {"kind: B\n", unsure},
		"explicit key":                 {"apiVersion: v1\n? kind\n: B\n", unsure},
		"word without a colon":         {"apiVersion: v1\nkind: B\nx\n", unsure},
		"tab":                          {"apiVersion: v1\nkind: B\n\tx\n", unsure},
		"no space":                     {"apiVersion: v1\nkind:B\n", unsure},
		"template":                     {"apiVersion: v1\n{{- if .x }}\nkind: B\n{{- end }}\n", unsure},
		"root is a list":               {"- apiVersion: v1\n  kind: B\n", unsure},
		"kind is a number":             {"apiVersion: v1\nkind: 0\n", unsure},
		"kind is a boolean":            {"apiVersion: v1\nkind: Yes\n", unsure},
		"nothing":                      {"# comment\n", unsure},
	} {
		h, sure := scan([]byte(tc.in))
		got := unsure
		if sure {
			got = string(h.apiVersion) + " " + string(h.kind)
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

func TestSplit(t *testing.T) {
	for name, tc := range map[string]struct {
		in   string
		want []int // the line before each part
		sure bool
	}{
		"one":                   {"a: 1\n", []int{0}, true},
		"marks":                 {"---\na: 1\n---\nb: 1\n--- \nc: 1\n---\t\nd: 1\n", []int{0, 2, 4, 6}, true},
		"a comment on the mark": {"--- # x\na: 1\n", []int{0}, true},
		"no comment":            {"--- x#y\na: 1\n", []int{0}, false},
		"end of file":           {"a: 1\n---", []int{0}, true},
		"CRLF":                  {"a: 1\r\n---\r\nb: 1\r\n", []int{0, 1}, true},
		"longer":                {"a: 1\n----\nb: 1\n---x\n", []int{0}, true},
		"empty documents":       {"---\n---\n# x\n---\na: 1\n---\n\n", []int{3}, true},
		"indented":              {"a: |\n  ---\n  b\n", []int{0}, true},
		"content on the mark":   {"--- {a: 1}\n---\nb: 1\n", []int{0, 1}, false},
		"block scalar":          {"--- |\n x\n", []int{0}, false},
		"tag":                   {"--- !x\na: 1\n", []int{0}, false},
		"end mark":              {"a: 1\n...\n", []int{0}, false},
		"end mark first":        {"...\n---\na: 1\n", []int{0, 1}, false},
		"directive":             {"%YAML 1.1\n---\na: 1\n", []int{0, 1}, false},
		"directive later":       {"a: 1\n...\n%TAG ! x\n---\nb: 1\n", []int{0, 3}, false},
		"lone CR":               {"a: 1\r---\rb: 1\n", []int{0}, false},
		"CR at the end":         {"a: 1\r", []int{0}, false},
		"NEL":                   {"a: 1\u0085---\n", []int{0}, false},
		"LS":                    {"a: \u2028\n", []int{0}, false},
		"PS":                    {"a: \u2029\n", []int{0}, false},
	} {
		parts, sure := split([]byte(tc.in))
		var got []int
		for _, p := range parts {
			got = append(got, p.line)
		}
		if sure != tc.sure || len(got) != len(tc.want) {
			t.Errorf("%s: %v sure %v, want %v sure %v", name, got, sure, tc.want, tc.sure)
			continue
		}
		for i := range got {
			if got[i] != tc.want[i] {
				t.Errorf("%s: %v, want %v", name, got, tc.want)
			}
		}
	}
}
