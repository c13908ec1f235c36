package outline

import "strings"

// Style is what the caller knows of the surface that it writes to. The zero
// value is good for a pipe.
type Style struct {
	// Color allows colour codes in text.
	Color bool
	// Links lead to the repository; without them places are plain file:line.
	Links Links
	// MaxBytes bounds Markdown; 0 means 60,000. The verdict and the footer stay
	// also where they alone are longer.
	MaxBytes int
	// Flavor of Markdown; empty means GitHub.
	Flavor Flavor
	// CommentID is in the marker on the first line of Markdown, by which a
	// sticky comment is found; empty means "default".
	CommentID string
	// Width is the terminal's width in columns; 0 means 100.
	Width  int
	Detail Detail
	// All lists the problems and notes that both revisions have, too.
	All bool
	// StopCommands is a random token for text printed inside GitHub Actions: it
	// switches workflow commands off around the text. Empty outside.
	StopCommands string
}

// Flavor is a forge's dialect of Markdown.
type Flavor string

// The flavors. Plain has neither alerts nor HTML, apart from the marker.
const (
	GitHub        Flavor = "github"
	GitLab        Flavor = "gitlab"
	PlainMarkdown Flavor = "plain"
)

// Detail says how much text tells.
type Detail int

// The amounts of detail: Quiet tells the verdict, findings, problems and
// counts; Verbose opens every list.
const (
	Normal Detail = iota
	Quiet
	Verbose
)

const (
	defaultMaxBytes = 60_000
	defaultWidth    = 100
	// openRows are shown before "and N more".
	OpenRows = 8
	// maxCell bounds a name or value on a line of text or in a cell.
	MaxCell = 80
)

func (s Style) ByteLimit() int {
	if s.MaxBytes > 0 {
		return s.MaxBytes
	}
	return defaultMaxBytes
}

func (s Style) Columns() int {
	if s.Width > 0 {
		return s.Width
	}
	return defaultWidth
}

// Open says how many of n entries to show.
func (s Style) Open(n int) int {
	if s.Detail == Verbose {
		return n
	}
	return min(n, OpenRows)
}

// Marker is the first line of Markdown. Only harmless characters of the id are
// kept, so that no id ends the comment.
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
	return "<!-- gwplan:" + id[:min(len(id), 100)] + " -->"
}
