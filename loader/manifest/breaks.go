package manifest

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/gwplan/gwplan/loader"
)

// breaks converts positions of the parser to those that editors and Git show. Git ends a line only
// at LF. The parser also ends a line at a lone CR and at the three line breaks of YAML 1.1. breaks
// is nil for files without these breaks.
type breaks struct {
	// lines has an entry for each line of the parser.
	lines []shownLine
}

// shownLine is where a line of the parser begins: the line shown, and the number of code points
// before it in that line.
type shownLine struct{ line, before uint32 }

func newBreaks(data []byte) *breaks {
	if !oddBreaks(data) {
		return nil
	}
	b := &breaks{lines: []shownLine{{line: 1}}}
	at := shownLine{line: 1}
	for len(data) > 0 {
		size, breaksLine := 1, false
		switch {
		case data[0] == '\n':
			at, breaksLine = shownLine{line: at.line + 1}, true
		case data[0] == '\r' && bytes.HasPrefix(data, []byte("\r\n")):
			size, at, breaksLine = 2, shownLine{line: at.line + 1}, true
		default:
			var r rune
			r, size = utf8.DecodeRune(data)
			at.before++
			breaksLine = r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
		}
		data = data[size:]
		if breaksLine {
			b.lines = append(b.lines, at)
		}
	}
	return b
}

// mark converts a position of the parser, counted from 1.
func (b *breaks) mark(line, column int) loader.Mark {
	shown := b.lines[min(max(line, 1), len(b.lines))-1]
	return loader.Mark{Line: shown.line, Column: shown.before + uint32(column)}
}

// before converts a number of lines shown to the number of lines of the parser.
func (b *breaks) before(lines int) int {
	if b == nil {
		return lines
	}
	return sort.Search(len(b.lines), func(i int) bool { return int(b.lines[i].line) > lines })
}
