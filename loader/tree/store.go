// Package tree indexes the files of trees, their contents, and the references in kustomizations. It
// reads and decodes each content once, by its id, however many trees contain it. It does not decide
// what is deployed.
package tree

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/account"
	"github.com/gwplan/gwplan/loader/cache"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/source"
)

// Store holds the decoded blobs of all trees by content id, independent of paths and revisions.
type Store struct {
	*relevance
	Opts    Options
	batches batches
	// taken is the size of the files that were decoded.
	taken atomic.Int64
	// decoded are the manifest files, Raw the bytes of files that kustomizations refer to, Missing
	// the blobs that could not be read.
	decoded map[string]*manifest.File
	Raw     map[string][]byte
	Missing map[string]*loader.Problem
	// ArgoSettings are the bytes of files that may configure Argo CD; Unrendered are the files
	// that Argo CD omits from directory sources.
	ArgoSettings map[string][]byte
	Unrendered   map[string]bool
	// ConfigMaps are the wanted ConfigMaps, by content id.
	ConfigMaps map[string][]manifest.Document

	// deployers are the documents that Deployers returns.
	deployers map[*View][]Declared
	// variables are the names of the variables that the files of a view use.
	variables map[*View][]string
	// edited are the blobs of manifests that a change adds.
	edited map[string]bool

	// Texts are decoded texts.
	Texts *Texts

	mu     sync.Mutex
	parsed map[string]parsed
	// built are the documents of files with words as a build by kustomize gives them.
	built map[string][]manifest.Document
	// mentioned means that some file mentions what Companion documents belong to.
	mentioned bool
	// found are the undecided kinds to which the files refer that were read so far.
	found []ReferredKind
}

// parsed is a fully decoded blob of any content.
type parsed struct {
	Docs     []*loader.Value
	Problems []loader.Problem
}

// Options define how the files of trees are read.
type Options struct {
	// Manifest defines which documents matter, and the limits.
	Manifest manifest.Options
	// Cache keeps results between runs, or nil. CacheKey represents everything else they depend on:
	// the version of the program and the kinds that matter.
	Cache    *cache.Cache
	CacheKey string
	// Account limits the cost of the run, or nil.
	Account *account.Account
	// Workers is the number of decoders.
	Workers int
	// Companions means that Companion documents are needed whatever the files mention.
	Companions bool
	// Referred are kinds whose Undecided documents are needed, whatever the files refer to.
	Referred []ReferredKind
}

// NewStore returns an empty store; cancelling ctx ends reading.
func NewStore(ctx context.Context, opts Options) *Store {
	s := &Store{
		relevance: &relevance{kinds: opts.Manifest, companions: opts.Companions, referred: map[ReferredKind]bool{}}, Opts: opts, decoded: map[string]*manifest.File{}, Raw: map[string][]byte{},
		Missing: map[string]*loader.Problem{}, parsed: map[string]parsed{}, built: map[string][]manifest.Document{}, Texts: &Texts{limits: opts.Manifest.Limits, parsed: map[string]parsed{}}, ConfigMaps: map[string][]manifest.Document{}, ArgoSettings: map[string][]byte{}, Unrendered: map[string]bool{}, deployers: map[*View][]Declared{}, variables: map[*View][]string{},
	}
	for _, kind := range opts.Referred {
		s.referred[kind] = true
	}
	s.batches = batches{ctx: ctx, workers: opts.Workers, account: opts.Account, lose: s.lose, counted: map[string]bool{}}
	return s
}

// CacheKey returns the key of a result that is kept between runs. It includes everything that the
// result depends on besides its inputs.
func (s *Store) CacheKey(what string, inputs [sha256.Size]byte) cache.Key {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n%+v\n%q\n%t\n%q\n", what, s.Opts.CacheKey, s.Opts.Manifest.Limits, Sorted(s.wanted), s.companions, s.Referred())
	h.Write(inputs[:])
	return cache.Key(h.Sum(nil))
}

// Recall returns a result that an earlier run kept, or false.
func (s *Store) Recall(what string, inputs [sha256.Size]byte) ([]byte, bool) {
	if s.Opts.Cache == nil {
		return nil, false
	}
	data, ok := s.Opts.Cache.Get(s.CacheKey(what, inputs))
	if ok {
		s.Opts.Account.Count(account.CacheHits, 1)
	} else {
		s.Opts.Account.Count(account.CacheMisses, 1)
	}
	return data, ok
}

// Parse decodes a blob that a kustomization refers to, once.
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
		// Not stored: it may be read later.
		return parsed{Problems: []loader.Problem{{Severity: loader.Error, Code: "file-not-read", Message: "the content of the file was not read"}}}
	default:
		p.Docs, p.Problems = manifest.ParseAgain(data, s.Opts.Manifest.Limits, s.decoded[id])
		own(p.Docs, s.decoded[id])
		restoreWords(p.Docs, data)
	}
	s.parsed[id] = p
	return p
}

// File returns a manifest file, never nil.
func (s *Store) File(id string) *manifest.File {
	if f := s.decoded[id]; f != nil {
		return f
	}
	if m := s.Missing[id]; m != nil {
		return &manifest.File{Problems: []loader.Problem{*m}, Manifest: true}
	}
	return &manifest.File{}
}

// Documents reads any YAML file of a tree.
func (s *Store) Documents(v *View, file string) ([]*loader.Value, error) {
	id := v.IDs[file]
	if _, ok := s.Raw[id]; !ok && s.Missing[id] == nil {
		if err := s.Keep(v.Tree.Blobs, []string{id}); err != nil {
			return nil, err
		}
	}
	p := s.Parse(id)
	if len(p.Problems) > 0 {
		at := p.Problems[0].Position
		at.File = file
		return nil, &located{at: at, message: p.Problems[0].Message}
	}
	return p.Docs, nil
}

// located is an error with a position.
type located struct {
	at      loader.Position
	message string
}

func (e *located) Error() string { return e.at.String() + ": " + e.message }

// Keep reads contents by their ids and stores them unchanged.
func (s *Store) Keep(blobs source.Blobs, ids []string) error {
	return s.batches.read(blobs, ids, s.keep)
}

func (s *Store) keep(batch []blob) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range batch {
		if why := s.spent(len(b.data)); why != "" {
			s.Missing[b.id] = notRead(why)
			continue
		}
		s.Raw[b.id] = b.data
	}
}

func (s *Store) lose(id string, p *loader.Problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Missing[id] = p
}
