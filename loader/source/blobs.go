package source

import (
	"context"
	"errors"
	"sync"

	"github.com/gwplan/gwplan/loader"
)

// blobs is the Blobs of trees that were opened together: of Git, and of files
// on disk that Git does not have. Calls of Each wait for each other, so f must
// not call Each.
type blobs struct {
	ctx    context.Context // Blobs has no context of its own; this is that of the Open call
	git    *git
	limits Limits

	mu     sync.Mutex
	local  map[string]origin
	stores []*store
	kept   int
	// weights says which trees have a manifest of this id that was not read
	// yet; total is what they have read.
	weights map[string]uint8
	total   [2]int64
	asking  *batch // answers each question at once, for small calls
	closed  bool
}

// origin is where a content outside Git is.
type origin struct {
	store   *store
	path    string
	body    []byte
	problem *loader.Problem
}

const (
	// maxKept bounds the files on disk that are kept from hashing to reading.
	maxKept = 64 << 20
	// smallCall is up to which number of ids the process that answers at once
	// is used; a larger call has one of its own, which buffers.
	smallCall = 64
)

func newBlobs(ctx context.Context, g *git, limits Limits) *blobs {
	return &blobs{ctx: ctx, git: g, limits: limits, local: make(map[string]origin), weights: make(map[string]uint8)}
}

// own closes a store together with the Blobs.
func (b *blobs) own(s *store) *store {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stores = append(b.stores, s)
	return s
}

// adopt says where an id's content is.
func (b *blobs) adopt(id string, from origin) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known := b.local[id]; known {
		return
	}
	if from.store != nil && b.kept+len(from.body) > maxKept {
		from.body = nil
	}
	b.kept += len(from.body)
	b.local[id] = from
}

// weigh notes which ids count against TotalSize of a tree.
func (b *blobs) weigh(entries []Entry, number int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range entries {
		if isManifest(e.Path) {
			b.weights[e.ID] |= 1 << number
		}
	}
}

// Each implements Blobs.
func (b *blobs) Each(ids []string, f func(id string, data []byte, missing *loader.Problem)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return failed("the tree is closed", "")
	}
	ids, remote := b.distinct(ids)
	r := &batchReader{blobs: b, todo: remote}
	defer r.end()
	for _, id := range ids {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		data, missing, err := b.read(r, id)
		if err != nil {
			return err
		}
		if err := b.account(id, len(data)); err != nil {
			return err
		}
		f(id, data, missing)
	}
	return nil
}

// distinct drops repeated ids and tells which of the rest are git's.
func (b *blobs) distinct(ids []string) (all, remote []string) {
	seen := make(map[string]bool, len(ids))
	all, remote = make([]string, 0, len(ids)), make([]string, 0, len(ids))
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		all = append(all, id)
		if _, known := b.local[id]; !known && isID(id) {
			remote = append(remote, id)
		}
	}
	return all, remote
}

func (b *blobs) read(r *batchReader, id string) ([]byte, *loader.Problem, error) {
	if from, known := b.local[id]; known {
		data, missing := b.readLocal(id, from)
		return data, missing, nil
	}
	if !isID(id) {
		return nil, missingBlob(id), nil
	}
	return r.next(id)
}

func (b *blobs) readLocal(id string, from origin) ([]byte, *loader.Problem) {
	if from.problem != nil || from.body != nil || from.store == nil {
		return from.body, from.problem
	}
	data, err := from.store.read(from.path)
	large, isLarge := errors.AsType[tooLarge](err)
	switch {
	case isLarge:
		return nil, sizeProblem(int64(large), b.limits.FileSize, from.store.onlyCRDs(from.path))
	case err != nil:
		p := unreadable(err)
		return nil, &p
	case isID(id) && from.store.blobID(data) != id:
		return nil, &loader.Problem{
			Severity: loader.Error, Code: "file-changed",
			Message: "the file changed while it was read", Hint: "run again",
		}
	}
	return data, nil
}

// account counts what is read of each tree, equal files once.
func (b *blobs) account(id string, size int) error {
	in := b.weights[id]
	delete(b.weights, id)
	for i := range b.total {
		if in&(1<<i) == 0 {
			continue
		}
		if b.total[i] += int64(size); b.total[i] > b.limits.TotalSize {
			return tooManyBytes(b.total[i], b.limits.TotalSize)
		}
	}
	return nil
}

// Close implements Blobs; more than one call is allowed.
func (b *blobs) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	b.closed = true
	if b.asking != nil {
		b.asking.end()
	}
	var errs []error
	for _, s := range b.stores {
		errs = append(errs, s.close())
	}
	b.local, b.weights = nil, nil
	return errors.Join(errs...)
}

func missingBlob(id string) *loader.Problem {
	return &loader.Problem{
		Severity: loader.Error, Code: "missing-blob",
		Message: "git has no content for " + printable(id), Hint: "in a partial clone run git fetch --refetch --no-filter, else git fsck",
	}
}
