// Package source opens the places where input files come from: a directory, a Git revision, the Git
// index, standard input. Each becomes a read-only Tree with content ids, so that equal files are
// read and decoded once.
//
// It is the only package that runs git, and it uses only plumbing commands: none of them starts a
// hook, a filter, a pager or network access.
package source

import "github.com/gwplan/gwplan/loader"

// Tree is one read-only tree of files.
type Tree struct {
	// Revision is the text that the user typed (or "work tree", "index", a directory, "standard
	// input"). Commit is the commit's id, empty if there is none.
	Revision, Commit string
	// Entries are the files below the root, sorted by path. Symbolic links are already resolved
	// inside the tree, so readers never find a link. The entry of a link to a file has the id of
	// that file. A link to a folder adds a separate entry for each file below the folder.
	Entries []Entry
	// Submodules are the commits of submodules by path; empty if the commit is not known.
	Submodules map[string]string
	// Problems are names that could not become an entry: submodules, unmerged index entries, links
	// that leave the tree or form a loop.
	Problems []loader.Problem
	// Blobs reads contents. Trees opened together share it.
	Blobs Blobs
}

// Entry is one file of a tree.
type Entry struct {
	// Path is a slash path relative to the root, never absolute, never with "..".
	Path string
	// ID identifies the content: the Git blob id, computed for files outside Git.
	ID string
	// Given is true if the user named exactly this file. It is then read whatever its name ends in.
	Given bool
	// Link is the symbolic link that Path is or leads through, "" if there is none. Some deployers do not follow links.
	Link string
}

// Blobs reads contents by id.
type Blobs interface {
	// Each calls f once for every distinct id, from one goroutine, in the given order. data is
	// valid only during the call. missing is not nil if a blob cannot be read or is over the size
	// limit; it has no position yet.
	Each(ids []string, f func(id string, data []byte, missing *loader.Problem)) error
	// Stored is how many bytes the contents passed to f so far take where they are stored: compressed, in a repository.
	Stored() int64
	// Close ends the reader.
	Close() error
}
