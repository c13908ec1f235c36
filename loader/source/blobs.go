package source

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/gwplan/gwplan/loader"
)

// blobs implements Blobs for trees that were opened together. It reads contents from Git, and from
// files on disk that are not in Git. Calls of Each exclude each other, so f must not call Each.
type blobs struct {
	ctx    context.Context // Blobs has no context parameter; this is the context of the Open call
	git    *git
	limits Limits

	mu     sync.Mutex
	local  map[string]origin
	stores []*store
	kept   int
	share  *share
	stored atomic.Int64
	asking *batch // the unbuffered process for small calls
	closed bool
}

// origin is where to find a content that is not in Git.
type origin struct {
	store   *store
	path    string
	body    []byte
	problem *loader.Problem
}

const (
	// maxKept bounds the bytes of files on disk that stay in memory between hashing and reading.
	maxKept = 64 << 20
	// smallCall is the largest number of ids for the shared, unbuffered process. A larger call
	// starts a separate process, which buffers.
	smallCall = 64
)

func newBlobs(ctx context.Context, g *git, limits Limits) *blobs {
	return &blobs{ctx: ctx, git: g, limits: limits, local: make(map[string]origin), share: newShare(limits)}
}

// own registers a store to be closed with the Blobs.
func (b *blobs) own(s *store) *store {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stores = append(b.stores, s)
	return s
}

// adopt records where the content of an id is.
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

// weigh records which ids count against TotalSize of a tree.
func (b *blobs) weigh(entries []Entry, number int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.share.weigh(entries, number)
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
		f(id, data, missing)
	}
	return nil
}

// Stored implements Blobs.
func (b *blobs) Stored() int64 { return b.stored.Load() }

// distinct removes repeated ids; remote are the remaining ids that git must read.
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
		if missing == nil {
			missing = b.share.judge(id, int64(len(data)), int64(len(data)))
		}
		if missing != nil {
			return nil, missing, nil
		}
		b.stored.Add(int64(len(data)))
		return data, nil, nil
	}
	if !isID(id) {
		return nil, missingBlob(id), nil
	}
	if r.left[id] {
		return nil, b.share.judged[id], nil
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

// Close implements Blobs. It may be called more than once.
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
	b.local, b.share = nil, nil
	return errors.Join(errs...)
}

// Passing are the codes of problems that another run on the same trees may not have.
var Passing = []string{loader.MissingBlob, "file-changed"}

func missingBlob(id string) *loader.Problem {
	return &loader.Problem{
		Severity: loader.Error, Code: loader.MissingBlob,
		Message: "git has no content for " + printable(id), Hint: "in a partial clone run git fetch --refetch --no-filter, else git fsck",
	}
}
