package render

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/cache"
	"github.com/gwplan/gwplan/loader/manifest"
)

// store holds what the blobs of all trees say, by content id: nothing in it
// knows a path or a revision.
type store struct {
	ctx  context.Context
	opts storeOptions
	// decoded are the manifest files, raw the bytes of what kustomizations
	// name, missing the blobs that could not be read.
	decoded map[string]*manifest.File
	raw     map[string][]byte
	missing map[string]*loader.Problem
	// plugins are the bytes of files that may define plugins of Argo CD, unrendered the
	// files that it leaves out of directories.
	plugins    map[string][]byte
	unrendered map[string]bool
	// wanted are the ConfigMaps that are read, configMaps those of each file.
	wanted     wanted
	configMaps map[string][]manifest.Document

	mu     sync.Mutex
	parsed map[string]parsed
}

// parsed is a blob read in full, whatever it holds.
type parsed struct {
	docs     []*loader.Value
	problems []loader.Problem
}

// storeOptions say how the files of trees are read.
type storeOptions struct {
	// Manifest says which documents matter and holds the limits.
	Manifest manifest.Options
	// Cache keeps results between runs, or nil. CacheKey stands for what else decides them:
	// the version of the program and the kinds that matter.
	Cache    *cache.Cache
	CacheKey string
	// Workers decode files.
	Workers int
}

func newStore(ctx context.Context, opts storeOptions) *store {
	return &store{
		ctx: ctx, opts: opts, decoded: map[string]*manifest.File{}, raw: map[string][]byte{},
		missing: map[string]*loader.Problem{}, parsed: map[string]parsed{}, configMaps: map[string][]manifest.Document{}, plugins: map[string][]byte{}, unrendered: map[string]bool{},
	}
}

// cacheKey is the key of a result between runs: everything that it depends on
// besides its own inputs is part of it.
func (s *store) cacheKey(what string, inputs [sha256.Size]byte) cache.Key {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n%+v\n%q\n", what, s.opts.CacheKey, s.opts.Manifest.Limits, sorted(s.wanted))
	h.Write(inputs[:])
	return cache.Key(h.Sum(nil))
}

// parse reads a blob that a kustomization names, once.
func (s *store) parse(id string) parsed {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.parsed[id]; ok {
		return p
	}
	var p parsed
	switch data, ok := s.raw[id]; {
	case s.missing[id] != nil:
		p.problems = []loader.Problem{*s.missing[id]}
	case !ok:
		// Not kept: it may be read later.
		return parsed{problems: []loader.Problem{{Severity: loader.Error, Code: "file-not-read", Message: "the content of the file was not read"}}}
	default:
		p.docs, p.problems = manifest.Parse(data, s.opts.Manifest.Limits)
		restoreWords(p.docs, data)
	}
	s.parsed[id] = p
	return p
}

// file is a manifest file, never nil.
func (s *store) file(id string) *manifest.File {
	if f := s.decoded[id]; f != nil {
		return f
	}
	if m := s.missing[id]; m != nil {
		return &manifest.File{Problems: []loader.Problem{*m}, Manifest: true}
	}
	return &manifest.File{}
}
