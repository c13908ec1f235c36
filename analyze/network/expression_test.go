package network

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// TestExpressionMatches holds what selectors of Calico select. Their language is documented in
// tigera/docs, calico/_includes/content/_selectors.mdx; the libcalico-go package lib/selector/parser
// has the same cases.
func TestExpressionMatches(t *testing.T) {
	type labels = map[string]string
	for _, tt := range []struct {
		text     string
		yes, not []labels
	}{
		{"", []labels{{}, {"a": "b"}}, nil},
		{" \t", []labels{{}, {"a": "b"}}, nil},
		{"all()", []labels{{}, {"a": "b"}}, nil},
		{"!all()", nil, []labels{{}, {"a": "b"}}},
		{"a == 'b'", []labels{{"a": "b"}, {"a": "b", "c": "d"}}, []labels{{}, {"a": "c"}, {"c": "b"}, {"a": ""}}},
		{`a == ""`, []labels{{"a": ""}}, []labels{{}, {"a": "b"}}},
		// What is said not to be so is also true of an absent label.
		{"a != 'b'", []labels{{}, {"a": "c"}, {"c": "b"}}, []labels{{"a": "b"}}},
		{"a in {'b', \"c\"}", []labels{{"a": "b"}, {"a": "c"}}, []labels{{}, {"a": "bc"}, {"a": "d"}}},
		{"a in {}", nil, []labels{{}, {"a": "b"}, {"a": ""}}},
		{"a not in {'b', 'c'}", []labels{{}, {"a": "d"}}, []labels{{"a": "b"}, {"a": "c"}}},
		{"a not in {}", []labels{{}, {"a": "b"}}, nil},
		{`a in {"'", '"'}`, []labels{{"a": "'"}, {"a": `"`}}, []labels{{}, {"a": ""}}},
		{"has(a)", []labels{{"a": ""}, {"a": "b"}}, []labels{{}, {"b": "a"}}},
		{"!has(a)", []labels{{}, {"b": "a"}}, []labels{{"a": ""}}},
		{"!!has(a)", []labels{{"a": "b"}}, []labels{{}}},
		{"!! ! has(a)", []labels{{}}, []labels{{"a": "b"}}},
		// These are about values, so that an absent label has none of them.
		{"a contains 'b'", []labels{{"a": "b"}, {"a": "abc"}}, []labels{{}, {"a": "ac"}, {"b": "b"}}},
		{"a contains ''", []labels{{"a": ""}, {"a": "b"}}, []labels{{}}},
		{"a starts with 'b'", []labels{{"a": "b"}, {"a": "bc"}}, []labels{{}, {"a": "ab"}}},
		{"a ends with 'b'", []labels{{"a": "b"}, {"a": "ab"}}, []labels{{}, {"a": "bc"}}},
		{"!a contains 'b'", []labels{{}, {"a": "c"}}, []labels{{"a": "b"}}},
		// Words of the language are labels like others.
		{"in in {'in'}", []labels{{"in": "in"}}, []labels{{}}},
		{"all == 'has'", []labels{{"all": "has"}}, []labels{{}}},
		{"has == '1'", []labels{{"has": "1"}}, []labels{{"has": "2"}}},
		{"contains contains 'on'", []labels{{"contains": "one"}}, []labels{{}}},
		{"has(starts) && starts starts with 'x'", []labels{{"starts": "xy"}}, []labels{{"starts": "y"}}},
		{"projectcalico.org/name_x-1 == 'b'", []labels{{"projectcalico.org/name_x-1": "b"}}, []labels{{}}},
		// Text in quotes is taken as it stands.
		{`a == ' && '`, []labels{{"a": " && "}}, []labels{{}}},
		{`a == '\'`, []labels{{"a": `\`}}, []labels{{}}},
		{"a == ')' || b == '}'", []labels{{"a": ")"}, {"b": "}"}}, []labels{{}}},
		// ! binds closest, then &&, then ||.
		{"a == '1' || b == '1' && c == '1'", []labels{{"a": "1"}, {"b": "1", "c": "1"}}, []labels{{"b": "1"}, {"c": "1"}}},
		{"a == '1' && b == '1' || c == '1'", []labels{{"c": "1"}, {"a": "1", "b": "1"}}, []labels{{"a": "1"}, {"b": "1"}}},
		{"(a == '1' || b == '1') && c == '1'", []labels{{"a": "1", "c": "1"}, {"b": "1", "c": "1"}}, []labels{{"a": "1"}, {"c": "1"}}},
		{"!a == '1' && b == '1'", []labels{{"b": "1"}, {"a": "2", "b": "1"}}, []labels{{}, {"a": "1", "b": "1"}}},
		{"!a == '1' || b == '1'", []labels{{}, {"a": "1", "b": "1"}}, []labels{{"a": "1"}}},
		{"!(a == '1' || b == '1')", []labels{{}, {"a": "2"}}, []labels{{"a": "1"}, {"b": "1"}}},
		{"!(has(a) && has(b)) && !(has(c))", []labels{{}, {"a": "1"}}, []labels{{"a": "1", "b": "1"}, {"c": "1"}}},
		{"((a == '1'))", []labels{{"a": "1"}}, []labels{{}}},
		{
			"! has(my-label) || my-label starts with 'prod' && role in {'frontend','business'}",
			[]labels{{}, {"my-label": "prod-1", "role": "business"}},
			[]labels{{"my-label": "prod-1"}, {"my-label": "test", "role": "frontend"}},
		},
	} {
		s, err := parseExpression(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		for want, list := range map[fact.Fact][]labels{fact.True: tt.yes, fact.False: tt.not} {
			for _, l := range list {
				if got := s.Matches(inventory.Labels{Values: l}); got != want {
					t.Errorf("%q of %v: %s, want %s", tt.text, l, got, want)
				}
			}
		}
	}
}

// A label that may exist is not known to be absent.
func TestExpressionUnknown(t *testing.T) {
	for _, tt := range []struct {
		text string
		want fact.Fact
	}{
		{"known == 'x'", fact.True},
		{"known != 'x'", fact.False},
		{"other == 'x'", fact.Unknown},
		{"other != 'x'", fact.Unknown},
		{"!has(other)", fact.Unknown},
		{"other contains 'x'", fact.Unknown},
		{"known == 'x' || has(other)", fact.True},
		{"known != 'x' && has(other)", fact.False},
		{"known == 'x' && has(other)", fact.Unknown},
		{"all()", fact.True},
	} {
		s, err := parseExpression(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Matches(inventory.Labels{Values: map[string]string{"known": "x"}, Partial: true}); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// The same selector may be written with more or fewer blanks (lib/selector/tokenizer).
func TestExpressionForms(t *testing.T) {
	for plain, forms := range map[string][]string{
		"a == 'b'":                   {"a=='b'", "a  ==\t'b'", ` a == "b" `, "(a == 'b')", "( a=='b' )"},
		"a != 'b'":                   {"a!='b'", "!a == 'b'", "! a=='b'"},
		"a in {'b', 'c'}":            {"a in{'b','c'}", "a in { 'c' , 'b' }", "a in {'b', 'c', }", "a in {'b', 'c', 'b'}"},
		"a not in {'b'}":             {"a notin {'b'}", "a not\tin {'b'}", "a not  in{'b'}", "!a in {'b'}", "a != 'b'"},
		"a starts with 'b'":          {"a starts with\"b\"", "a startswith 'b'", "a starts \twith 'b'"},
		"a ends with 'b'":            {"a ends with\"b\"", "a endswith 'b'", "a ends \twith 'b'"},
		"has(a)":                     {"has( a )", "has(a) ", "!!has(a)"},
		"all()":                      {"all( )", " all()", "", "(all())"},
		"has(a) && has(b)":           {"has(a)&&has(b)", "(has(a)) && (has(b))", "has(b) && has(a)"},
		"has(a) || has(b)":           {"has(a)||has(b)", "!(!has(a) && !has(b))"},
		"!has(a) && !has(b)":         {"! has(a)&&! has(b)", "!(has(a) || has(b))"},
		"has(a) && has(b) && !all()": {"has(a) && (has(b) && !all())", "!all()"},
	} {
		want, err := parseExpression(plain)
		if err != nil {
			t.Errorf("%q: %v", plain, err)
			continue
		}
		for _, text := range forms {
			got, err := parseExpression(text)
			if err != nil {
				t.Errorf("%q: %v", text, err)
				continue
			}
			for _, l := range expressionLabels {
				if x, y := got.Matches(inventory.Labels{Values: l}), want.Matches(inventory.Labels{Values: l}); x != y {
					t.Errorf("%q of %v: %s, but %q: %s", text, l, x, plain, y)
				}
			}
		}
	}
}

// expressionLabels are labels that the selectors here tell apart.
var expressionLabels = []map[string]string{{}, {"a": "b"}, {"a": "c"}, {"a": "bcb"}, {"b": "a"}, {"a": "", "b": "b"}, {"a": "b", "b": "c"}}

// What Calico does not take is refused with an error.
func TestExpressionErrors(t *testing.T) {
	for _, text := range []string{
		"a", "a ", "a b", "!", "&&", "||", "(", ")", "()", "(a == 'b'", "a == 'b')", "((a == 'b')",
		"a == b", "a = 'b'", "a === 'b'", "'a' == 'b'", "'a' == b", "== 'b'", "a ==", "a != ||", "a !", "a ! = 'b'", "a < 'b'",
		"a contains b", "a contains", "a starts 'b'", "a starts with b", "a with 'b'", "a ends 'b'", "starts with 'b'",
		"a in 'b'", "a in", "a in {", "a in {'b'", "a in {'b' 'c'}", "a in {,}", "a in {'b',,'c'}", "a in {b}", "a in ('b')", "a in ['b']",
		"a not 'b'", "a not {'b'}", "a not in 'b'", "not a == 'b'", "not has(a)",
		`a == "b`, "a == 'b", `a == "b'`, `"a`, "'",
		"has()", "has(", "has(a", "has('a')", "has(a b)", "has a", "has(a,b)", "all", "all(", "all(a)", "all() all()", "global",
		"a == 'b' &", "a == 'b' |", "a == 'b' && ", "a == 'b' || ", "&& a == 'b'", "a == 'b' c == 'd'", "a == 'b' && || c == 'd'", "a == 'b' & c == 'd'",
		"a == 'b' and c == 'd'", "a == 'b', c == 'd'", "a == 'b' \n&& c == 'd'", "%", "a == 'b' && %", "ä == 'b'", "a:b == 'c'", "a == 'b';",
		"a==='b'", "a containsx 'b'", "a inx {'b'}", "a == 'b'\n", "all()\r\n",
	} {
		if s, err := parseExpression(text); err == nil {
			t.Errorf("%q is taken as %q", text, s)
		} else if !strings.Contains(err.Error(), "selector") {
			t.Errorf("%q: %v does not say that it is about a selector", text, err)
		}
	}
}

// Neither long nor deep selectors cost much: beyond a bound they are refused.
func TestExpressionBounds(t *testing.T) {
	for name, text := range map[string]string{
		"parentheses":    strings.Repeat("(", 5000) + "all()" + strings.Repeat(")", 4000),
		"unclosed":       strings.Repeat("(", 9_999),
		"a long text":    "a == '" + strings.Repeat("x", 1_000_000) + "'",
		"a long list":    "a in {" + strings.Repeat("'x',", 1_000_000) + "}",
		"many":           strings.Repeat("all() && ", 1_000_000) + "all()",
		"many negations": strings.Repeat("!", 1_000_001) + "all()",
	} {
		if _, err := parseExpression(text); err == nil {
			t.Errorf("%s: no error", name)
		} else if len(err.Error()) > 20_000 {
			t.Errorf("%s: the error has %d bytes", name, len(err.Error()))
		}
	}
	for name, text := range map[string]string{
		"parentheses": strings.Repeat("(", 50) + "all()" + strings.Repeat(")", 50),
		"negations":   strings.Repeat("!", 50) + "all()",
		"many":        strings.Repeat("has(a) || ", 500) + "all()",
	} {
		if s, err := parseExpression(text); err != nil || s.Matches(inventory.Labels{}) != fact.True {
			t.Errorf("%s: %v, or it does not select everything", name, err)
		}
	}
}

// An example is what its selector selects.
func TestExpressionExample(t *testing.T) {
	for _, text := range []string{"a == 'b'", "a in {'b', 'c'} && has(d)", "a starts with 'b'", "a contains 'b' || c == 'd'", "all()"} {
		s, err := parseExpression(text)
		if err != nil {
			t.Fatal(err)
		}
		if labels, ok := s.Example(); !ok || s.Matches(inventory.Labels{Values: labels}) != fact.True {
			t.Errorf("%q: the example %v, %t", text, labels, ok)
		}
	}
	for _, text := range []string{"!all()", "a == 'b' && a == 'c'", "has(a) && !has(a)"} {
		s, err := parseExpression(text)
		if err != nil {
			t.Fatal(err)
		}
		if labels, ok := s.Example(); ok {
			t.Errorf("%q: selects nothing, and yet has the example %v", text, labels)
		}
	}
}

// FuzzExpression reads any text: nothing panics, and what is taken obeys the laws of logic.
func FuzzExpression(f *testing.F) {
	for _, text := range []string{
		"", "all()", "!global()", "a == 'b'", "a != \"b\" && has(c)", "a in {'b', 'c',} || !(has(a) && b contains 'x')",
		"a not in {}", "a starts with 'b' || a ends with 'c'", "((((a == 'b'))))", "!!!has(a/b.c_d-e)", "a in {", "has(", "'", "a == 'b' &&", "a  notin\t{\"'\"}",
	} {
		f.Add(text, "a", "b")
	}
	f.Fuzz(func(t *testing.T, text, key, value string) {
		s, err := parseExpression(text)
		if err != nil {
			return
		}
		again := s.String()
		if again == "" {
			again = "all()"
		}
		whole := inventory.Labels{Values: map[string]string{key: value, "a": "b"}}
		got := s.Matches(whole)
		if got == fact.Unknown && !loader.Placeholder(value) { // that is filled in later
			t.Errorf("%q: unknown for the labels %v", text, whole.Values)
		}
		for form, want := range map[string]fact.Fact{
			again: got, "(" + again + ")": got, "!(" + again + ")": got.Not(), "(" + again + ") && (" + again + ")": got,
			"(" + again + ") || (" + again + ")": got, "\t(" + again + ")  && all()": got, "!all() || (" + again + ")": got,
		} {
			r, err := parseExpression(form)
			if err != nil {
				if len(form) < maxExpression && strings.Count(text, "(")+strings.Count(text, "!") < maxNesting-2 {
					t.Errorf("%q is taken and %q is not: %v", text, form, err)
				}
				continue
			}
			if now := r.Matches(whole); now != want {
				t.Errorf("%q of %v: %s, want %s as %q: %s", form, whole.Values, now, want, text, got)
			}
		}
		// What is known while labels may be missing stays so when they come.
		if early := s.Matches(inventory.Labels{Values: map[string]string{"a": "b"}, Partial: true}); early != fact.Unknown && key != "a" && got != fact.Unknown && early != got {
			t.Errorf("%q: %s while labels are missing, %s with %v", text, early, got, whole.Values)
		}
		if labels, ok := s.Example(); ok && s.Matches(inventory.Labels{Values: labels}) != fact.True {
			t.Errorf("%q does not select its example %v", text, labels)
		}
	})
}
