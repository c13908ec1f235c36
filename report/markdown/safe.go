package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gwplan/gwplan/report/outline"
)

// maxTitle is how long the title of a comment may be, without what is incomplete.
const maxTitle = 200

// maxProse bounds a message in Markdown.
const maxProse = 500

// zeroWidth is U+200B. It splits text that GitHub would turn into a mention, an issue or a link
// after rendering, when escapes no longer have an effect.
const zeroWidth = "\u200b"

// mdCode writes a string as a code span of at most 80 characters. Inside a code
// span GitHub resolves no mention, issue or SHA. The fence is longer than the
// longest run of backticks inside (CommonMark 6.1).
func mdCode(s string) string {
	s = neutral(outline.Clamp(outline.Safe(s), outline.MaxCell))
	if s == "" {
		s = `""`
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	// CommonMark removes one space on each side. Without these spaces, a backtick at the edge would
	// lengthen the fence, and spaces at the edge would be lost.
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// shortCode writes a code span of limited length.
func shortCode(s string) string { return mdCode(outline.Clamp(outline.Safe(s), outline.MaxCell)) }

// neutral breaks the start of an HTML comment, so that input cannot forge the marker of a sticky
// comment.
func neutral(s string) string {
	return strings.ReplaceAll(s, "<!--", "<! --")
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// Text escapes prose for formats that embed Markdown.
func Text(s string) string { return mdText(s) }

// mdText writes prose. It escapes all punctuation with a meaning in Markdown and splits mentions,
// issues and bare URLs.
func mdText(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, s)
	s = neutral(outline.Clamp(outline.Safe(strings.Join(strings.Fields(s), " ")), maxProse))
	var b strings.Builder
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if escapes(r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		if splits(s[:i], r, next) || isHex(r) && isHex(next) && hexRun(s[:i])%shortCommit == shortCommit-1 {
			b.WriteString(zeroWidth)
		}
	}
	return b.String()
}

// escapes reports whether a character has a meaning in GitHub's Markdown.
func escapes(r rune) bool { return strings.ContainsRune("\\`*_[]<>&|~!#$", r) }

// splits reports whether a zero-width space follows r: after @ (mentions, e-mail), after # before a
// digit (issues), in :// and after www. (autolinks).
func splits(before string, r, next rune) bool {
	switch r {
	case '@':
		return true
	case '#':
		return unicode.IsDigit(next)
	case ':':
		return next == '/'
	case '-':
		return unicode.IsDigit(next) && len(before) >= 2 && strings.EqualFold(before[len(before)-2:], "GH")
	case '.':
		return len(before) >= 3 && strings.EqualFold(before[len(before)-3:], "www")
	}
	return false
}

// shortCommit is the number of hexadecimal digits from which GitHub looks for a commit, less one.
const shortCommit = 6

func isHex(r rune) bool { return strings.ContainsRune("0123456789abcdefABCDEF", r) && r > 0 }

// hexRun counts the hexadecimal digits at the end of a text.
func hexRun(s string) int {
	n := 0
	for n < len(s) && isHex(rune(s[len(s)-1-n])) {
		n++
	}
	return n
}
