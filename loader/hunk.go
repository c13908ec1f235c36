package loader

// Hunk is a run of lines that two revisions of a file do not share, as `git diff -U0`
// shows them: it begins at line Base of base and at line Head of head, counted from 1. A
// side of which it has no lines gives the line before it, 0 at the start of the file.
type Hunk struct {
	Base, BaseLines int
	Head, HeadLines int
}

// InBase says whether a line of base is one of those that head does not have.
func (h Hunk) InBase(line int) bool { return h.Base <= line && line < h.Base+h.BaseLines }

// InHead says whether a line of head is one of those that base does not have.
func (h Hunk) InHead(line int) bool { return h.Head <= line && line < h.Head+h.HeadLines }

// Line is the line of head at which the hunk is shown.
func (h Hunk) Line() int { return max(h.Head, 1) }
