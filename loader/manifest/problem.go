package manifest

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/loader"
)

func problem(code string, at loader.Position, message, hint string) loader.Problem {
	return loader.Problem{Severity: loader.Error, Code: code, Position: at, Message: message, Hint: hint}
}

// mostProblems bounds the problems that one file adds to a report.
const mostProblems = 100

func clamp(problems []loader.Problem) []loader.Problem {
	if len(problems) <= mostProblems {
		return problems
	}
	rest := problem("limit-problems", problems[mostProblems].Position,
		fmt.Sprintf("the file has %d more problems from here on", len(problems)-mostProblems), "fix the problems above first")
	return append(problems[:mostProblems:mostProblems], rest)
}

func markOf(v *loader.Value) loader.Position {
	return loader.Position{Line: int(v.Mark.Line), Column: int(v.Mark.Column)}
}

// isPointer detects a file whose content is in Git LFS.
func isPointer(data []byte) bool {
	return bytes.HasPrefix(data, []byte("version https://git-lfs"))
}

func pointerProblem() loader.Problem {
	p := problem("lfs-pointer", loader.Position{Line: 1, Column: 1},
		"the file is a Git LFS pointer, its content is not in the repository", "keep manifests out of Git LFS")
	p.Severity = loader.Warning
	return p
}

// syntaxProblem returns the reason why the parser rejected a part: bytes that are not YAML, a
// template, or a syntax error.
func syntaxProblem(p part, err error) *loader.Problem {
	if bad := badByte(p); bad != nil {
		return bad
	}
	line, message := parserError(err)
	at := loader.Position{Line: p.line + min(max(line, 1), lines(p.data))}
	if i := unknownAlias(p.data, err); i >= 0 {
		at = placeOf(p, i)
	}
	if i := templateStart(p.data); i >= 0 {
		return templateProblem(placeOf(p, i))
	}
	s := problem(loader.YAMLSyntax, at, message, "")
	return &s
}

var openTemplate = []byte("{{")

// templateStart returns where template syntax begins in a text, or -1. It ignores braces in quotes
// or comments, because these are valid YAML and cannot be why the parser failed.
func templateStart(data []byte) int {
	for start := 0; start < len(data); {
		end := start + bytes.IndexByte(data[start:], '\n')
		if end < start {
			end = len(data)
		}
		line := data[start:end]
		if i := bytes.Index(line, openTemplate); i >= 0 {
			before := line[:i]
			quoted := bytes.Count(before, []byte(`"`))%2 == 1 || bytes.Count(before, []byte("'"))%2 == 1
			comment := bytes.HasPrefix(bytes.TrimLeft(before, " "), []byte("#")) || bytes.Contains(before, []byte(" #"))
			if !quoted && !comment {
				return start + i
			}
		}
		start = end + 1
	}
	return -1
}

// placeOf returns the position of a byte in a part.
func placeOf(p part, i int) loader.Position {
	before := p.data[:i]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return loader.Position{Line: p.line + bytes.Count(before, newline) + 1, Column: utf8.RuneCount(line) + 1}
}

// templateProblem replaces any other problem of a text that is an unrendered template.
func templateProblem(at loader.Position) *loader.Problem {
	p := problem("template", at, "the document is an unrendered template, not a manifest", "render it and run gwplan on the result")
	p.Severity = loader.Warning
	return &p
}

func lines(data []byte) int {
	n := bytes.Count(data, newline)
	if !bytes.HasSuffix(data, newline) {
		n++
	}
	return max(n, 1)
}

var parserLine = regexp.MustCompile(`^line (\d+): `)

// parserError splits the line number from an error of the parser. The parser counts from 1 for
// errors of its scanner and from 0 for errors of its grammar (go.yaml.in/yaml/v3 decode.go,
// parser.fail). It prints no number for the first line.
func parserError(err error) (line int, message string) {
	message = strings.TrimPrefix(err.Error(), "yaml: ")
	m := parserLine.FindStringSubmatch(message)
	if m == nil {
		return 1, Unquoted(message)
	}
	message = Unquoted(message[len(m[0]):])
	line, _ = strconv.Atoi(m[1])
	if strings.HasPrefix(message, "did not find expected ") || strings.HasPrefix(message, "found undefined tag") {
		line++
	}
	return line, message
}

// unknownAlias returns where the alias begins that an error is about, for which the parser gives no line, or -1.
func unknownAlias(data []byte, err error) int {
	m := anchor.FindStringSubmatch(err.Error())
	if m == nil {
		return -1
	}
	alias := []byte("*" + m[1])
	for start := 0; ; {
		i := bytes.Index(data[start:], alias)
		if i < 0 {
			return -1
		}
		i += start
		start = i + len(alias)
		begins := i == 0 || bytes.IndexByte([]byte(" \t\n[{,:-"), data[i-1]) >= 0
		ends := start == len(data) || bytes.IndexByte([]byte(" \t\r\n]},:"), data[start]) >= 0
		comment := bytes.Contains(data[bytes.LastIndexByte(data[:i], '\n')+1:i], []byte("#"))
		if begins && ends && !comment {
			return i
		}
	}
}

// anchor matches the name of an alias, which is the value itself where somebody forgot the quotes
// around a text that begins with *.
var anchor = regexp.MustCompile("unknown anchor '(.*)' referenced")

// Unquoted returns an error of a YAML parser without the text that it repeats.
func Unquoted(message string) string {
	return anchor.ReplaceAllString(message, "an alias names an anchor that the document does not have")
}

// badByte returns a problem for the first byte that YAML does not allow (YAML 1.2.2, 5.1).
func badByte(p part) *loader.Problem {
	line, column := p.line+1, 1
	for rest := p.data; len(rest) > 0; column++ {
		r, size := utf8.DecodeRune(rest)
		what := ""
		switch {
		case r == utf8.RuneError && size == 1:
			what = fmt.Sprintf("the byte 0x%02x is not UTF-8", rest[0])
		case r == 0:
			what = "the file holds a NUL byte"
		case !printable(r):
			what = fmt.Sprintf("the control character %U is not allowed", r)
		}
		if what != "" {
			bad := problem(loader.Encoding, loader.Position{Line: line, Column: column}, what, "save the file as UTF-8 text")
			return &bad
		}
		if r == '\n' {
			line, column = line+1, 0
		}
		rest = rest[size:]
	}
	return nil
}

func printable(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0x7e || r == 0x85 || r >= 0xa0 && r != 0xfffe && r != 0xffff
}

// wideEncoding rejects UTF-16 and UTF-32, with or without a byte order mark. It can detect them
// because the first character of YAML or JSON is ASCII (YAML 1.2.2, 5.2). kustomize would read the first document of
// such a file, which is not followed.
func wideEncoding(data []byte) *loader.Problem {
	name := wideName(data)
	if name == "" {
		return nil
	}
	p := problem("wide-encoding", loader.Position{Line: 1, Column: 1}, "the file is "+name+", not UTF-8", "save the file as UTF-8 text")
	return &p
}

func wideName(data []byte) string {
	if len(data) < 2 {
		return ""
	}
	var b [4]byte
	copy(b[:], data)
	full := len(data) >= 4
	switch {
	case full && b == [4]byte{0, 0, 0xfe, 0xff}, full && b == [4]byte{0xff, 0xfe, 0, 0},
		full && b[0] == 0 && b[1] == 0 && b[2] == 0 && b[3] != 0, full && b[0] != 0 && b[1] == 0 && b[2] == 0 && b[3] == 0:
		return "UTF-32"
	case b[0] == 0xfe && b[1] == 0xff, b[0] == 0xff && b[1] == 0xfe, full && b[0] == 0 && b[1] != 0 && b[2] == 0 && b[3] != 0,
		full && b[0] != 0 && b[1] == 0 && b[2] != 0 && b[3] == 0:
		return "UTF-16"
	}
	return ""
}

// narrow returns bytes in which ASCII words can be found, for any encoding.
func narrow(data []byte) []byte {
	if wideName(data) == "" {
		return data
	}
	return bytes.ReplaceAll(data, []byte{0}, nil)
}

// trim removes a byte order mark. It also changes a first line `%YAML 1.2` to 1.1, because the
// parser rejects the version 1.2 although it can read such a file.
func trim(data []byte) []byte {
	data = withoutOrderMarks(data)
	if bytes.HasPrefix(data, []byte("%YAML 1.2")) {
		data = bytes.Clone(data)
		data[len("%YAML 1.")] = '1'
	}
	return data
}

// withoutOrderMarks removes the byte order marks at the beginning of documents. Deployers cut a file into documents first, and take
// the mark off each (apimachinery and kyaml, the decoder of JSON and YAML).
func withoutOrderMarks(data []byte) []byte {
	mark := []byte("\ufeff")
	data = bytes.TrimPrefix(data, mark)
	if !bytes.Contains(data, mark) {
		return data
	}
	var out []byte
	for at := 0; at < len(data); {
		end := nextMark(data, at)
		line, rest := cutLine(data[at:end])
		if isMark(line) && bytes.HasPrefix(rest, mark) {
			out = append(out, data[at:end-len(rest)]...)
			out = append(out, rest[len(mark):]...)
		} else {
			out = append(out, data[at:end]...)
		}
		at = end
	}
	return out
}

// brokeDown returns the problem for a panic, which is a defect of gwplan or its dependencies.
func brokeDown(broken any) loader.Problem {
	return problem("broke-down", loader.Position{Line: 1, Column: 1}, fmt.Sprintf("gwplan failed while reading the file: %v", broken),
		"please report this bug together with the file; the other files were read")
}
