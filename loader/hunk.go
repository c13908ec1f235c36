package loader

// Hunk is a run of lines that differ between two revisions of a file, as in `git diff -U0`. It
// begins at line Base of base and at line Head of head, counted from 1. On a side where it has no
// lines, the number is that of the line before it, 0 at the start of the file.
type Hunk struct {
	Base, BaseLines int
	Head, HeadLines int
}

// InBase reports whether a line of base is one of those that head does not have.
func (h Hunk) InBase(line int) bool { return h.Base <= line && line < h.Base+h.BaseLines }

// InHead reports whether a line of head is one of those that base does not have.
func (h Hunk) InHead(line int) bool { return h.Head <= line && line < h.Head+h.HeadLines }

// Line is the line of head at which the hunk is shown.
func (h Hunk) Line() int { return max(h.Head, 1) }
