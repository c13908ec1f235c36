package manifest

import "github.com/gwplan/gwplan/loader"

// stream reads a whole file that cannot be cut exactly. If the parser rejects a document, it reads
// the parts one by one, so that the later documents are not lost.
func stream(data []byte, parts []part, limits Limits, visit visitor) {
	if dense := limits.tooDense(data, 0); dense != nil {
		visit(tree{}, dense)
		return
	}
	breaks := newBreaks(data)
	type outcome struct {
		tree    tree
		problem *loader.Problem
	}
	var all []outcome
	keep := func(t tree, p *loader.Problem) { all = append(all, outcome{t, p}) }
	whole := walker{limits: limits, breaks: breaks}
	if err := whole.documents(data, keep); err != nil {
		all = nil
		for i, p := range glue(parts) {
			if i == limits.Documents {
				over := tooMany(limits.Documents, len(parts), p.line)
				keep(tree{}, &over)
				break
			}
			w := walker{limits: limits, line: breaks.before(p.line), breaks: breaks}
			if err := w.documents(p.data, keep); err != nil {
				keep(tree{}, syntaxProblem(p, err))
			}
		}
	}
	for _, o := range all {
		visit(o.tree, o.problem)
	}
}

// glue joins a part that contains only directives with the document after it.
func glue(parts []part) []part {
	var out []part
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		for i+1 < len(parts) && onlyDirectives(p.data) {
			// Parts are consecutive slices of one file.
			i++
			p.data = p.data[:len(p.data)+len(parts[i].data)]
		}
		if hasContent(p.data) {
			out = append(out, p)
		}
	}
	return out
}

func onlyDirectives(data []byte) bool {
	found := false
	for len(data) > 0 {
		var line []byte
		line, data = cutLine(data)
		switch {
		case len(line) > 0 && line[0] == '%':
			found = true
		case len(line) > 0 && line[0] != '#':
			return false
		}
	}
	return found
}
