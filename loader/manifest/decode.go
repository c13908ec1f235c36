package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/gwplan/gwplan/loader"
)

// Only this file handles Nodes of the YAML parser. A Node is not passed on, because it can contain
// cycles, aliases that multiply, and unlimited nesting. The walk below bounds them.

// tree is one decoded document.
type tree struct {
	root *loader.Value
	// encrypted is true if some value is encrypted by SOPS.
	encrypted bool
}

// visitor receives each document, or the problem with it.
type visitor func(tree, *loader.Problem)

// decode reads a part that was cut out of the file by its bytes.
func decode(p part, limits Limits, visit visitor) {
	if dense := limits.tooDense(p.data, p.line); dense != nil {
		visit(tree{}, dense)
		return
	}
	w := walker{limits: limits, line: p.line}
	if t, ok := w.simply(p.data); ok {
		visit(t, nil)
		return
	}
	if err := w.documents(p.data, visit); err != nil {
		visit(tree{}, syntaxProblem(p, err))
	}
}

// documents reads every document of a text. An error comes from the parser; the documents before it
// are valid and already visited.
func (w *walker) documents(text []byte, visit visitor) error {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for seen := 0; ; seen++ {
		var doc yaml.Node
		err := next(decoder, &doc)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if seen == w.limits.Documents {
			p := tooMany(w.limits.Documents, seen+1, int(w.mark(&doc).Line)-1)
			visit(tree{}, &p)
			return nil
		}
		t, p := w.document(&doc)
		if p == nil && w.ambiguous != nil {
			visit(tree{}, w.ambiguous)
		}
		if p != nil && !strings.HasPrefix(p.Code, "limit-") && templateStart(text) >= 0 {
			p = templateProblem(p.Position)
		}
		visit(t, p)
	}
}

// next recovers from a panic of the parser, which is third-party code and reads untrusted input.
func next(decoder *yaml.Decoder, doc *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the parser failed: %v", r)
		}
	}()
	return decoder.Decode(doc)
}

// walker converts Nodes to Values.
type walker struct {
	limits Limits
	// line is the number of lines before the text, as the parser counts them if breaks is not nil.
	line   int
	breaks *breaks

	// Slabs that hold the values of one document.
	values []loader.Value
	fields []loader.Field
	items  []*loader.Value

	// active are the anchors being expanded; extra counts the nodes visited
	// through aliases, and text the bytes of their scalars.
	active      []*yaml.Node
	outermost   *yaml.Node
	extra, text int
	encrypted   bool
	problem     *loader.Problem
	// ambiguous is what programs do not read alike, although it can be read.
	ambiguous *loader.Problem
}

// maxAliasText is how many bytes of text the aliases of one document may add. Texts are shared,
// but digests and outputs go through each of them.
const maxAliasText = 16 << 20

func (w *walker) document(doc *yaml.Node) (tree, *loader.Problem) {
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return tree{}, nil
	}
	root := doc.Content[0]
	var n sizes
	n.add(root)
	w.values = make([]loader.Value, 0, n.values)
	w.fields = make([]loader.Field, 0, n.fields)
	w.items = make([]*loader.Value, 0, n.items)
	w.active, w.extra, w.text, w.encrypted, w.problem, w.ambiguous = nil, 0, 0, false, nil, nil
	v := w.value(root, 1, loader.Mark{})
	if w.problem != nil {
		return tree{}, w.problem
	}
	return tree{root: v, encrypted: w.encrypted}, nil
}

// sizes counts the values, fields and items in the text of a document. The parser's limit of 10,000
// levels bounds its recursion.
type sizes struct{ values, fields, items int }

func (s *sizes) add(n *yaml.Node) {
	s.values++
	step := 1
	switch n.Kind {
	case yaml.MappingNode:
		s.fields += len(n.Content) / 2
		step = 2
	case yaml.SequenceNode:
		s.items += len(n.Content)
	default:
		return
	}
	for i := step - 1; i < len(n.Content); i += step {
		s.add(n.Content[i])
	}
}

// value walks one node. at is the position of its key, or zero if it has no key. It returns nil if
// there is a problem.
func (w *walker) value(n *yaml.Node, depth int, at loader.Mark) *loader.Value {
	if len(w.active) > 0 {
		if w.extra++; w.extra > w.limits.AliasNodes {
			return w.fail("limit-alias", w.outermost, fmt.Sprintf("the aliases of the document expand to more than %d nodes", w.limits.AliasNodes),
				"write the values out")
		}
		if w.text += len(n.Value); w.text > maxAliasText {
			return w.fail("limit-alias", w.outermost, fmt.Sprintf("the aliases of the document expand to more than %d bytes of text", maxAliasText),
				"write the values out")
		}
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return w.scalar(n, at)
	case yaml.AliasNode:
		return w.alias(n, depth, at)
	case yaml.MappingNode, yaml.SequenceNode:
	default:
		return w.fail(loader.YAMLSyntax, n, "the parser gave a node of no known kind", "")
	}
	if depth > w.limits.Depth {
		return w.fail("limit-depth", n, fmt.Sprintf("the document nests deeper than %d levels", w.limits.Depth),
			"flatten it")
	}
	if at.Line == 0 {
		at = w.mark(n)
	}
	if n.Kind == yaml.MappingNode {
		return w.mapping(n, depth, at)
	}
	return w.sequence(n, depth, at)
}

func (w *walker) sequence(n *yaml.Node, depth int, at loader.Mark) *loader.Value {
	items := w.cutItems(len(n.Content))
	for _, c := range n.Content {
		v := w.value(c, depth+1, loader.Mark{})
		if v == nil {
			return nil
		}
		items = append(items, v)
	}
	return w.put(loader.Value{Shape: loader.List, Items: items, Mark: at})
}

func (w *walker) mapping(n *yaml.Node, depth int, at loader.Mark) *loader.Value {
	fields := w.cutFields(len(n.Content) / 2)
	seen := keys{}
	var merge *yaml.Node
	early := 0
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		name, isMerge := "<<", w.isMerge(key)
		if !isMerge {
			if key.Kind == yaml.ScalarNode && key.Value == "<<" {
				// With the tag !, which the parser drops, it merges for sigs.k8s.io/yaml; for kyaml it is a text.
				return w.fail("merge-key", key, "a merge key has quotes or a tag: deployers do not agree on what it means", "write << alone")
			}
			var ok bool
			if name, ok = w.key(key); !ok {
				return nil
			}
		}
		if first, ok := seen.add(name, isMerge, key.Line); !ok {
			return w.fail(loader.DuplicateKey, key, fmt.Sprintf("the key %q is given twice, first in line %d", name, w.lineOf(first)), "keep one of them")
		}
		if isMerge {
			merge, early = n.Content[i+1], len(fields)
			continue
		}
		v := w.value(n.Content[i+1], depth+1, w.mark(key))
		if v == nil {
			return nil
		}
		fields = append(fields, loader.Field{Key: name, Value: v})
	}
	if merge != nil {
		var ok bool
		if fields, ok = w.merge(fields, early, merge, depth); !ok {
			return nil
		}
	}
	return w.put(loader.Value{Shape: loader.Map, Fields: fields, Mark: at})
}

// isMerge reports whether a key is the plain key `<<` (YAML 1.1, merge key).
func (w *walker) isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && key.Tag == "!!merge"
}

// merge adds the fields from a merge key after the map's own fields. The map's own keys win, even
// if they come after the merge key. Of several sources, the first wins (YAML 1.1, merge key; kyaml
// does the same). For what comes before it programs do not agree: the first early of the fields do
// (sigs.k8s.io/yaml goyaml.v2, decode.go, mapping, lets the merge win).
func (w *walker) merge(fields []loader.Field, early int, from *yaml.Node, depth int) ([]loader.Field, bool) {
	sources := []*yaml.Node{from}
	if from.Kind == yaml.SequenceNode {
		sources = from.Content
	}
	have := make(map[string]int, len(fields))
	for i := range fields {
		have[fields[i].Key] = i
	}
	for _, source := range sources {
		target := source
		if target.Kind == yaml.AliasNode {
			target = target.Alias
		}
		if target.Kind != yaml.MappingNode {
			w.fail("yaml-value", source, "a merge key needs a map or a list of maps", "")
			return nil, false
		}
		v := w.value(source, depth, loader.Mark{})
		if v == nil {
			return nil, false
		}
		for _, f := range v.Fields {
			switch at, known := have[f.Key]; {
			case !known:
				have[f.Key] = len(fields)
				fields = append(fields, f)
			case at < early && !loader.Equal(fields[at].Value, f.Value) && w.ambiguous == nil:
				m := w.mark(from)
				p := problem("merge-key", loader.Position{Line: int(m.Line), Column: int(m.Column)},
					fmt.Sprintf("the merge brings %q, which stands before it with another value: deployers do not agree on which counts", f.Key), "write the merge key first")
				p.Severity = loader.Warning
				w.ambiguous = &p
			}
		}
	}
	return fields, true
}

// alias walks the anchored node again. The value as a whole has the position of the alias. The
// values inside keep the position where they are written, because that is the line to edit.
func (w *walker) alias(n *yaml.Node, depth int, at loader.Mark) *loader.Value {
	for _, a := range w.active {
		if a == n.Alias {
			return w.fail(loader.AliasCycle, n, fmt.Sprintf("the anchor %q contains an alias to itself", n.Value), "replace the alias with the value")
		}
	}
	if len(w.active) == 0 {
		w.outermost = n
	}
	w.active = append(w.active, n.Alias)
	v := w.value(n.Alias, depth, at)
	w.active = w.active[:len(w.active)-1]
	if v == nil {
		return nil
	}
	if v.Shape != loader.Map && v.Shape != loader.List || at.Line == 0 {
		v.Mark = w.mark(n)
	}
	return v
}

func (w *walker) scalar(n *yaml.Node, at loader.Mark) *loader.Value {
	mark := w.mark(n)
	if n.Value == "" && n.Style == 0 && at.Line != 0 {
		// The value is empty, so it has no first character to point to.
		mark = at
	}
	v, trouble := w.word(n.Value, tagOf(n), mark)
	if trouble != "" {
		return w.fail("yaml-value", n, trouble, "")
	}
	v.Blank = v.Shape == loader.Null && n.Value == ""
	return w.put(v)
}

// word returns the value of a scalar, or an error message.
func (w *walker) word(value, tag string, mark loader.Mark) (v loader.Value, trouble string) {
	shape, text, trouble := resolve(value, tag)
	v = loader.Value{Shape: shape, Text: text, Mark: mark, Word: shape == loader.Bool && !strings.EqualFold(value, text)}
	switch {
	case trouble != "" || shape != loader.String:
	case isEncrypted(text):
		// Encrypting again changes the text, which must not count as a change.
		w.encrypted, v.Opaque, v.Text = true, true, loader.Encrypted
	default:
		v.Opaque = holdsVariable(text)
	}
	return v, trouble
}

// tagOf returns "" for a plain scalar, "!!str" for a quoted one, else its explicit tag.
func tagOf(n *yaml.Node) string {
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		return n.Tag
	case n.Style != 0:
		return yaml.NodeTagString
	}
	return ""
}

func (w *walker) key(n *yaml.Node) (string, bool) {
	at := n
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		w.fail("yaml-value", at, "a key is a map or a list, not a string", "quote the key if it is text")
		return "", false
	}
	name, err := keyText(n.Value, tagOf(n))
	if err != "" {
		w.fail("yaml-value", at, err, "")
		return "", false
	}
	return name, true
}

// mark returns the position of a node in its file.
func (w *walker) mark(n *yaml.Node) loader.Mark {
	if w.breaks != nil {
		return w.breaks.mark(w.line+n.Line, n.Column)
	}
	return loader.Mark{Line: uint32(w.line + n.Line), Column: uint32(n.Column)}
}

func (w *walker) lineOf(line int) int {
	if w.breaks != nil {
		return int(w.breaks.mark(w.line+line, 1).Line)
	}
	return w.line + line
}

func (w *walker) fail(code string, n *yaml.Node, message, hint string) *loader.Value {
	m := w.mark(n)
	p := problem(code, loader.Position{Line: int(m.Line), Column: int(m.Column)}, message, hint)
	w.problem = &p
	return nil
}
