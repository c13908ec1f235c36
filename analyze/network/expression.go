package network

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
)

// expressionSelector is a selector in the language of Calico (libcalico-go lib/selector/parser): comparisons of
// labels, joined by !, && and ||.
type expressionSelector struct {
	text string
	root term
}

func (s expressionSelector) Matches(l inventory.Labels) fact.Fact { return s.root.holds(l) }

// Example returns the labels that a conjunction of comparisons names.
func (s expressionSelector) Example() (map[string]string, bool) {
	out := map[string]string{}
	s.root.example(out)
	return out, s.Matches(inventory.Labels{Values: out}) == fact.True
}

// Others returns the labels of the other operands of `||` and the other values of comparisons.
func (s expressionSelector) Others() []map[string]string {
	var out []map[string]string
	for _, t := range alternatives(s.root)[1:] {
		labels := map[string]string{}
		t.example(labels)
		out = appendSelected(out, s, labels)
	}
	return out
}

// alternatives returns the terms of which each alone satisfies another one: the first is that of its example. In a
// conjunction one operand at a time is another.
func alternatives(t term) []term {
	out := []term{t}
	switch t := t.(type) {
	case disjunct:
		out = nil
		for _, one := range t {
			out = append(out, alternatives(one)...)
		}
	case conjunct:
		for i, one := range t {
			for _, other := range alternatives(one)[1:] {
				c := slices.Clone(t)
				c[i] = other
				if out = append(out, c); len(out) > maxOthers {
					return out
				}
			}
		}
	case comparison:
		for _, value := range t.values[min(1, len(t.values)):] {
			out = append(out, comparison{t.operator, t.key, []string{value}})
		}
	}
	return out[:min(len(out), maxOthers+1)]
}

// Excluded returns the labels of the comparisons that a conjunction negates.
func (s expressionSelector) Excluded() []map[string]string {
	base, ok := s.Example()
	if !ok {
		return nil
	}
	terms, all := s.root.(conjunct)
	if !all {
		terms = conjunct{s.root}
	}
	var out []map[string]string
	for _, t := range terms {
		n, negated := t.(negation)
		if !negated {
			continue
		}
		labels := maps.Clone(base)
		n.term.example(labels)
		if len(labels) > len(base) {
			out = append(out, labels)
		}
	}
	return out
}

func (s expressionSelector) String() string {
	if s.text == "all()" {
		return ""
	}
	return s.text
}

// term is a part of an expression.
type term interface {
	holds(l inventory.Labels) fact.Fact
	// example adds labels for which the term holds, as far as it can.
	example(labels map[string]string)
}

type (
	everything struct{}
	negation   struct{ term }
	conjunct   []term
	disjunct   []term
	// comparison compares a label: `==`, `in`, `contains`, `starts with`, `ends with`, `has`. It is false for an
	// absent label.
	comparison struct {
		operator, key string
		values        []string
	}
)

func (everything) holds(inventory.Labels) fact.Fact { return fact.True }
func (everything) example(map[string]string)        {}

func (n negation) holds(l inventory.Labels) fact.Fact { return n.term.holds(l).Not() }
func (n negation) example(map[string]string)          {}

func (c conjunct) holds(l inventory.Labels) fact.Fact {
	out := fact.True
	for _, t := range c {
		out = out.And(t.holds(l))
	}
	return out
}

func (c conjunct) example(labels map[string]string) {
	for _, t := range c {
		t.example(labels)
	}
}

func (d disjunct) holds(l inventory.Labels) fact.Fact {
	out := fact.False
	for _, t := range d {
		out = out.Or(t.holds(l))
	}
	return out
}

func (d disjunct) example(labels map[string]string) {
	if len(d) > 0 {
		d[0].example(labels)
	}
}

func (c comparison) holds(l inventory.Labels) fact.Fact {
	value, present := l.Get(c.key)
	if c.operator == "has" || present != fact.True {
		return present
	}
	for _, v := range c.values {
		var yes bool
		switch c.operator {
		case "in":
			yes = value == v
		case "contains":
			yes = strings.Contains(value, v)
		case "starts with":
			yes = strings.HasPrefix(value, v)
		case "ends with":
			yes = strings.HasSuffix(value, v)
		}
		if yes {
			return fact.True
		}
	}
	return fact.False
}

func (c comparison) example(labels map[string]string) {
	value := ""
	if len(c.values) > 0 {
		value = c.values[0]
	}
	if _, set := labels[c.key]; !set {
		labels[c.key] = value
	}
}

// maxExpression limits the length of an expression, maxNesting how deep its parentheses nest.
const (
	maxExpression = 10_000
	maxNesting    = 100
)

// parseExpression reads a selector. An empty one selects everything.
func parseExpression(text string) (expressionSelector, error) {
	out := expressionSelector{text: strings.Trim(text, blanks), root: everything{}}
	if out.text == "" {
		return out, nil
	}
	if len(text) > maxExpression {
		return out, fmt.Errorf("the selector is longer than %d bytes", maxExpression)
	}
	p := expressionParser{rest: out.text}
	root, err := p.either(0)
	if err == nil && p.skip() != "" {
		err = fmt.Errorf("%q is left over", p.rest)
	}
	if err != nil {
		return out, fmt.Errorf("the selector %q cannot be read: %w", text, err)
	}
	out.root = root
	return out, nil
}

// expressionParser reads an expression from left to right.
type expressionParser struct{ rest string }

// skip drops blanks and returns what follows.
func (p *expressionParser) skip() string {
	p.rest = strings.TrimLeft(p.rest, blanks)
	return p.rest
}

// blanks are the characters that the language ignores between words.
const blanks = " \t"

// take drops a word if it follows. A blank in it stands for any number of them, also none.
func (p *expressionParser) take(word string) bool {
	rest := p.skip()
	for i, part := range strings.Split(word, " ") {
		if i > 0 {
			rest = strings.TrimLeft(rest, blanks)
		}
		var ok bool
		if rest, ok = strings.CutPrefix(rest, part); !ok {
			return false
		}
	}
	p.rest = rest
	return true
}

func (p *expressionParser) either(depth int) (term, error) {
	var out disjunct
	for {
		t, err := p.both(depth)
		if err != nil {
			return nil, err
		}
		if out = append(out, t); !p.take("||") {
			break
		}
	}
	if len(out) == 1 {
		return out[0], nil
	}
	return out, nil
}

func (p *expressionParser) both(depth int) (term, error) {
	var out conjunct
	for {
		t, err := p.single(depth)
		if err != nil {
			return nil, err
		}
		if out = append(out, t); !p.take("&&") {
			break
		}
	}
	if len(out) == 1 {
		return out[0], nil
	}
	return out, nil
}

func (p *expressionParser) single(depth int) (term, error) {
	switch {
	case depth > maxNesting:
		return nil, fmt.Errorf("it nests deeper than %d", maxNesting)
	case p.take("("):
		t, err := p.either(depth + 1)
		if err == nil && !p.take(")") {
			err = fmt.Errorf("a parenthesis is not closed")
		}
		return t, err
	case strings.HasPrefix(p.skip(), "!") && !strings.HasPrefix(p.rest, "!="):
		p.take("!")
		t, err := p.single(depth + 1)
		return negation{t}, err
	case p.take("all( )"):
		return everything{}, nil
	case p.take("global( )"):
		return negation{everything{}}, nil // what is in no namespace: no pods
	case p.take("has("):
		key := p.key()
		if key == "" || !p.take(")") {
			return nil, fmt.Errorf("has() needs a label")
		}
		return comparison{operator: "has", key: key}, nil
	}
	return p.comparison()
}

func (p *expressionParser) comparison() (term, error) {
	key := p.key()
	if key == "" {
		return nil, fmt.Errorf("a label is missing at %q", p.rest)
	}
	for _, o := range []struct {
		word, operator string
		not, list      bool
	}{
		{"==", "in", false, false},
		{"!=", "in", true, false},
		{"contains", "contains", false, false},
		{"starts with", "starts with", false, false},
		{"ends with", "ends with", false, false},
		{"not in", "in", true, true},
		{"in", "in", false, true},
	} {
		if !p.take(o.word) {
			continue
		}
		values, err := p.values(o.list)
		if err != nil {
			return nil, err
		}
		c := comparison{o.operator, key, values}
		if o.not {
			return negation{c}, nil
		}
		return c, nil
	}
	return nil, fmt.Errorf("an operator is missing behind %s", key)
}

// key reads the name of a label.
func (p *expressionParser) key() string {
	p.skip()
	n := 0
	for n < len(p.rest) && (p.rest[n] >= 'a' && p.rest[n] <= 'z' || p.rest[n] >= 'A' && p.rest[n] <= 'Z' || p.rest[n] >= '0' && p.rest[n] <= '9' || strings.IndexByte("_./-", p.rest[n]) >= 0) {
		n++
	}
	key := p.rest[:n]
	p.rest = p.rest[n:]
	return key
}

// values reads one quoted text, or a list of them in braces.
func (p *expressionParser) values(list bool) ([]string, error) {
	if !list {
		v, err := p.quoted()
		return []string{v}, err
	}
	if !p.take("{") {
		return nil, fmt.Errorf("a list in braces is missing at %q", p.rest)
	}
	var out []string
	for !p.take("}") {
		v, err := p.quoted()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		if !p.take(",") && !strings.HasPrefix(p.skip(), "}") {
			return nil, fmt.Errorf("a list is not closed")
		}
	}
	return out, nil
}

func (p *expressionParser) quoted() (string, error) {
	p.skip()
	if p.rest == "" || p.rest[0] != '\'' && p.rest[0] != '"' {
		return "", fmt.Errorf("a text in quotes is missing at %q", p.rest)
	}
	end := strings.IndexByte(p.rest[1:], p.rest[0])
	if end < 0 {
		return "", fmt.Errorf("a quote is not closed")
	}
	out := p.rest[1 : 1+end]
	p.rest = p.rest[end+2:]
	return out, nil
}
