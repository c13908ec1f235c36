package outline

import (
	"strconv"
	"strings"
)

// Style describes the output that the caller writes to. The zero value is suitable for a pipe.
type Style struct {
	// Folder is where the reader is, relative to the root of the repository; "" is the root. Text names files as seen
	// from there.
	Folder string
	// Wide tables have all of each cell.
	Wide bool
	// Color allows colour codes in text.
	Color bool
	// Links point to the repository. Without them, places are plain file:line.
	Links Links
	// MaxBytes limits the size of Markdown; 0 means 60,000. The verdict and the footer are written
	// even if they alone are longer.
	MaxBytes int
	// Largest limits the size of a document that is written as data, or as a listing; 0 means no limit.
	Largest int
	// Part is the part of the Markdown that is wanted; the zero value is all of it, as one text.
	Part Part
	// Flavor of Markdown; empty means GitHub.
	Flavor Flavor
	// CommentID is part of the marker on the first line of Markdown, which identifies a sticky
	// comment; empty means "default".
	CommentID string
	// Width is the terminal's width in columns; 0 means 100.
	Width  int
	Detail Detail
	// All also lists the problems and notes that both revisions have.
	All bool
	// Ignored also lists the findings that are ignored, in text and SARIF; Markdown, HTML and JUnit always do.
	Ignored bool
	// StopCommands is a random token for text printed inside GitHub Actions. It disables workflow
	// commands around the text. It is empty elsewhere.
	StopCommands string
}

// Part is one of several texts, each of MaxBytes, that a report is divided into where one is too small.
type Part struct {
	// Number counts from 1. A report that needs fewer than Of texts is empty for the numbers above.
	Number, Of int
}

// Flavor is a forge's dialect of Markdown.
type Flavor string

// The flavors. Plain has neither alerts nor HTML, except for the marker.
const (
	GitHub        Flavor = "github"
	GitLab        Flavor = "gitlab"
	PlainMarkdown Flavor = "plain"
)

// Detail is the amount of detail in text.
type Detail int

// The amounts of detail. Quiet shows the verdict, findings, problems and counts. Verbose shows
// every list in full.
const (
	Normal Detail = iota
	Quiet
	Verbose
)

const (
	defaultMaxBytes = 60_000
	defaultWidth    = 100
	// OpenRows is how many entries are shown before "and N more".
	OpenRows = 8
	// MaxCell limits the length of a name or value on a line of text or in a cell.
	MaxCell = 80
)

// ByteLimit returns the largest size of the document in bytes.
func (s Style) ByteLimit() int {
	if s.MaxBytes > 0 {
		return s.MaxBytes
	}
	return defaultMaxBytes
}

// Columns returns the width of the terminal in columns.
func (s Style) Columns() int {
	if s.Width > 0 {
		return s.Width
	}
	return defaultWidth
}

// Open returns how many of n entries to show.
func (s Style) Open(n int) int {
	if s.Detail == Verbose {
		return n
	}
	return min(n, OpenRows)
}

// Marker is the first line of Markdown. It keeps only harmless characters of the id, so that no id
// can end the HTML comment. Parts after the first add their number, with a character that no id has.
func (s Style) Marker() string {
	id := strings.Map(func(r rune) rune {
		if IsWordRune(r) || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, s.CommentID)
	if id == "" {
		id = "default"
	}
	id = id[:min(len(id), 100)]
	if s.Part.Number > 1 {
		id += ":" + strconv.Itoa(s.Part.Number)
	}
	return "<!-- gwplan:" + id + " -->"
}
