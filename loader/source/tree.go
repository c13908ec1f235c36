// Package source opens the places that bytes come from: a directory, a Git
// revision, the Git index, standard input. Each becomes a read-only Tree with
// content ids, so that equal files are read and decoded once.
//
// It is the only package that runs git, with plumbing commands alone: none of
// them starts a hook, a filter, a pager or the network.
package source

import "github.com/gwplan/gwplan/loader"

// Tree is one read-only tree of files.
type Tree struct {
	// Revision is what the user typed (or "work tree", "index", a directory,
	// "standard input"); Commit is the commit's id, empty where there is none.
	Revision, Commit string
	// Entries are the files below the root, sorted by path. Symbolic links are
	// resolved inside the tree already: an entry for a link to a file carries
	// the id of the file it leads to, and links to folders give entries of
	// their own for what lies below, so readers never meet a link.
	Entries []Entry
	// Problems are what could not become an entry: submodules, unmerged index
	// entries, links that leave the tree or run in circles.
	Problems []loader.Problem
	// Blobs reads contents; trees opened together share one.
	Blobs Blobs
}

// Entry is one file of a tree.
type Entry struct {
	// Path is a slash path relative to the root, never absolute, never with "..".
	Path string
	// ID identifies the content: the Git blob id, computed for files outside Git.
	ID string
	// Given says that the user named this very file: it is read whatever its
	// name ends in.
	Given bool
}

// Blobs gives the contents behind ids.
type Blobs interface {
	// Each calls f once for every distinct id, from one goroutine, in the order
	// given. data is valid only during the call. missing is not nil for a blob
	// that could not be read or is over the size limit; it has no position yet.
	Each(ids []string, f func(id string, data []byte, missing *loader.Problem)) error
	// Close ends the reader.
	Close() error
}
