// Package tree knows the files of trees: which there are, what each content says, and what
// a kustomization names. Contents are read and decoded once, by their ids, however many
// trees have them. It decides nothing about what is deployed.
package tree

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/account"
	"github.com/gwplan/gwplan/loader/cache"
	"github.com/gwplan/gwplan/loader/manifest"
)

// Store holds what the blobs of all trees say, by content id: nothing in it
// knows a path or a revision.
type Store struct {
	*relevance
	ctx  context.Context
	Opts Options
	// decoded are the manifest files, raw the bytes of what kustomizations
	// name, missing the blobs that could not be read.
	decoded map[string]*manifest.File
	Raw     map[string][]byte
	Missing map[string]*loader.Problem
	// Plugins are the bytes of files that may define plugins of Argo CD, unrendered the
	// files that it leaves out of directories.
	Plugins    map[string][]byte
	Unrendered map[string]bool
	// ConfigMaps are those that are wanted, by file.
	ConfigMaps map[string][]manifest.Document

	mu     sync.Mutex
	parsed map[string]parsed
}

// parsed is a blob read in full, whatever it holds.
type parsed struct {
	Docs     []*loader.Value
	Problems []loader.Problem
}

// Options say how the files of trees are read.
type Options struct {
	// Manifest says which documents matter and holds the limits.
	Manifest manifest.Options
	// Cache keeps results between runs, or nil. CacheKey stands for what else decides them:
	// the version of the program and the kinds that matter.
	Cache    *cache.Cache
	CacheKey string
	// Account is what the run may cost, or nil.
	Account *account.Account
	// Workers decode files.
	Workers int
}

// NewStore makes an empty one; ctx ends reading.
func NewStore(ctx context.Context, opts Options) *Store {
	return &Store{
		relevance: &relevance{kinds: opts.Manifest}, ctx: ctx, Opts: opts, decoded: map[string]*manifest.File{}, Raw: map[string][]byte{},
		Missing: map[string]*loader.Problem{}, parsed: map[string]parsed{}, ConfigMaps: map[string][]manifest.Document{}, Plugins: map[string][]byte{}, Unrendered: map[string]bool{},
	}
}

// CacheKey is the key of a result between runs: everything that it depends on
// besides its own inputs is part of it.
func (s *Store) CacheKey(what string, inputs [sha256.Size]byte) cache.Key {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n%+v\n%q\n", what, s.Opts.CacheKey, s.Opts.Manifest.Limits, Sorted(s.wanted))
	h.Write(inputs[:])
	return cache.Key(h.Sum(nil))
}

// Parse reads a blob that a kustomization names, once.
func (s *Store) Parse(id string) parsed {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.parsed[id]; ok {
		return p
	}
	var p parsed
	switch data, ok := s.Raw[id]; {
	case s.Missing[id] != nil:
		p.Problems = []loader.Problem{*s.Missing[id]}
	case !ok:
		// Not kept: it may be read later.
		return parsed{Problems: []loader.Problem{{Severity: loader.Error, Code: "file-not-read", Message: "the content of the file was not read"}}}
	default:
		p.Docs, p.Problems = manifest.Parse(data, s.Opts.Manifest.Limits)
		RestoreWords(p.Docs, data)
	}
	s.parsed[id] = p
	return p
}

// File is a manifest file, never nil.
func (s *Store) File(id string) *manifest.File {
	if f := s.decoded[id]; f != nil {
		return f
	}
	if m := s.Missing[id]; m != nil {
		return &manifest.File{Problems: []loader.Problem{*m}, Manifest: true}
	}
	return &manifest.File{}
}
