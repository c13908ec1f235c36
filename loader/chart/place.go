package chart

import (
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// The marks that replace values in the second render: a text that occurs nowhere else, and numbers
// that are valid ports.
const (
	markText   = "gwplanmark"
	firstPort  = 20_011
	maxNumbers = 40_000
)

// Place finds which values of a release set the rendered values. It renders again with each value
// replaced by a mark: where a mark appears in the output, its value was used. This may fail,
// because values that control what is rendered cannot be marked; then only positions are missing.
func (r *Renderer) Place(c *Chart, release Release, out *Output) {
	m := newMarking(release.Values, c.defaults())
	for _, numbers := range []bool{true, false} {
		m.numbers = numbers
		texts, err := r.texts(c, release, m.leaf, &Output{})
		if err != nil {
			continue
		}
		marked := r.documents(texts)
		for template, docs := range byTemplate(out.Documents) {
			for i, doc := range docs {
				if i < len(marked[template]) && marked[template][i].Str("kind") == doc.Str("kind") {
					m.place(doc, marked[template][i])
					// The document's own position is its template.
					doc.Mark = loader.Mark{}
				}
			}
		}
		return
	}
}

func (r *Renderer) documents(texts []rendered) map[string][]*loader.Value {
	docs := map[string][]*loader.Value{}
	for _, t := range texts {
		docs[t.file] = r.parsed(t.text)
	}
	return docs
}

func byTemplate(docs []Document) map[string][]*loader.Value {
	out := map[string][]*loader.Value{}
	for _, d := range docs {
		out[d.Template] = append(out[d.Template], d.Root)
	}
	return out
}

// marking assigns numbers to the values of a release.
type marking struct {
	// leaves are the values by number (from 1); index maps a value to its number.
	leaves []*loader.Value
	index  map[*loader.Value]int
	// ports maps the number used as a mark, as text, to the number of its value.
	ports map[string]int
	// looks is the inverse of ports.
	looks   map[int]float64
	numbers bool
}

// newMarking assigns a number to each value that can be marked. It skips a text that is also the
// name of a key, because a template may use it for a look-up. It also skips fields that select a
// kind or type.
func newMarking(values Values, defaults map[string]any) *marking {
	m := &marking{index: map[*loader.Value]int{}, ports: map[string]int{}, looks: map[int]float64{}}
	if values.Root == nil {
		return m
	}
	keys, used := map[string]bool{}, map[string]bool{}
	gather(values.Root, keys, used)
	gatherPlain(defaults, keys)
	port := firstPort
	var walk func(key string, v *loader.Value)
	walk = func(key string, v *loader.Value) {
		for _, f := range v.Fields {
			walk(f.Key, f.Value)
		}
		for _, item := range v.Items {
			walk(key, item)
		}
		switch {
		case v.Shape == loader.String && (keys[v.Text] || v.Text == "" || decides(key)):
		case v.Shape == loader.String:
			m.add(v)
		case v.Shape == loader.Int && len(m.ports) < maxNumbers:
			for used[strconv.Itoa(port)] {
				port++
			}
			m.add(v)
			m.ports[strconv.Itoa(port)] = m.index[v]
			m.looks[m.index[v]] = float64(port)
			port++
		}
	}
	walk("", values.Root)
	return m
}

func (m *marking) add(v *loader.Value) {
	m.leaves = append(m.leaves, v)
	m.index[v] = len(m.leaves)
}

// decides reports whether templates usually compare the text of a field.
func decides(key string) bool {
	switch strings.ToLower(key) {
	case "kind", "type", "apiversion", "group", "protocol", "strategy", "mode", "enabled", "controller", "identifier":
		return true
	}
	return false
}

func gather(v *loader.Value, keys, numbers map[string]bool) {
	if v.Shape == loader.Int {
		numbers[v.Text] = true
	}
	for _, f := range v.Fields {
		keys[f.Key] = true
		gather(f.Value, keys, numbers)
	}
	for _, item := range v.Items {
		gather(item, keys, numbers)
	}
}

func gatherPlain(v any, keys map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, below := range v {
			keys[key] = true
			gatherPlain(below, keys)
		}
	case []any:
		for _, below := range v {
			gatherPlain(below, keys)
		}
	}
}

// leaf returns the mark of a value, or nil if the value is not replaced.
func (m *marking) leaf(v *loader.Value) any {
	n := m.index[v]
	switch {
	case n == 0:
		return nil
	case v.Shape == loader.String:
		return markText + strconv.Itoa(n) + "x"
	case !m.numbers:
		return nil
	}
	return m.looks[n]
}

// place sets the positions of a value and all values below it from the marks in the output.
func (m *marking) place(v, marked *loader.Value) {
	if marked == nil {
		return
	}
	if n := m.found(v, marked); n > 0 {
		v.Mark = m.leaves[n-1].Mark
		v.Mark.File++
	}
	for _, f := range v.Fields {
		m.place(f.Value, marked.Get(f.Key))
	}
	if len(v.Items) == len(marked.ItemList()) {
		for i, item := range v.Items {
			m.place(item, marked.Items[i])
		}
	}
	// A map or list without a position gets that of its first value.
	if v.Mark.Line == 0 {
		for _, f := range v.Fields {
			if f.Value.Mark.Line > 0 {
				v.Mark = f.Value.Mark
				return
			}
		}
		for _, item := range v.Items {
			if item.Mark.Line > 0 {
				v.Mark = item.Mark
				return
			}
		}
	}
}

// found returns the number of the mark in a scalar: the first if there are several, 0 if none. It
// accepts the mark only if replacing the marks by their values yields the original output, or if a
// value is a template itself.
func (m *marking) found(v, marked *loader.Value) int {
	switch marked.Shape {
	case loader.Int:
		if n := m.ports[marked.Text]; n > 0 && m.leaves[n-1].Text == v.Text {
			return n
		}
		return 0
	case loader.String:
	case loader.Null, loader.Bool, loader.Float, loader.Map, loader.List:
		return 0
	}
	var back strings.Builder
	first, rest := 0, marked.Text
	for n, at := next(rest); at >= 0; n, at = next(rest) {
		if n < 1 || n > len(m.leaves) {
			return 0
		}
		if first == 0 {
			first = n
		}
		own := m.leaves[n-1].Text
		if strings.Contains(own, "{{") {
			return first
		}
		// The replaced text is not searched again, because it may look like a mark.
		back.WriteString(rest[:at] + own)
		rest = rest[at+len(markText)+len(strconv.Itoa(n))+1:]
		if back.Len() > len(v.Text) {
			return 0
		}
	}
	if first > 0 && back.String()+rest == v.Text {
		return first
	}
	return 0
}

// next returns the first mark in a text.
func next(text string) (number, at int) {
	at = strings.Index(text, markText)
	if at < 0 {
		return 0, -1
	}
	digits, _, ok := strings.Cut(text[at+len(markText):], "x")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return 0, at
	}
	return n, at
}
