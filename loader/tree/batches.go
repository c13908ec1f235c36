package tree

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/account"
	"github.com/gwplan/gwplan/loader/source"
)

// batches reads contents and passes them on in batches, which run in parallel.
type batches struct {
	ctx     context.Context
	workers int
	account *account.Account
	// lose records a content that could not be read.
	lose func(id string, missing *loader.Problem)
	// counted are the contents that the account knows.
	counted map[string]bool
}

// chunk is the number of blobs in one batch for a worker, chunkSize the number of bytes from which on a batch has fewer.
const (
	chunk     = 64
	chunkSize = 1 << 20
)

// blob is one content with its id.
type blob struct {
	id   string
	data []byte
}

// each reads the blobs that ask returns for each view, once per id, and passes them to f.
func (b *batches) each(views []*View, ask func(*View) []string, f func([]blob)) error {
	seen := map[string]bool{}
	for _, v := range views {
		var ids []string
		for _, id := range ask(v) {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
		if err := b.read(v.Tree.Blobs, ids, f); err != nil {
			return err
		}
	}
	return nil
}

// read reads contents by their ids and passes them to f.
func (b *batches) read(blobs source.Blobs, ids []string, f func([]blob)) error {
	if len(ids) == 0 {
		return nil
	}
	work := make(chan []blob, b.workers)
	var wg sync.WaitGroup
	for range b.workers {
		wg.Go(func() {
			for batch := range work {
				f(batch)
			}
		})
	}
	err := b.feed(blobs, ids, work)
	close(work)
	wg.Wait()
	return err
}

func (b *batches) feed(blobs source.Blobs, ids []string, work chan<- []blob) error {
	var batch []blob
	size := 0
	stored := blobs.Stored()
	err := blobs.Each(ids, func(id string, data []byte, missing *loader.Problem) {
		if missing != nil {
			b.lose(id, missing)
			return
		}
		before := stored
		stored = blobs.Stored()
		b.count(id, len(data), int(stored-before))
		b.account.Count(account.BlobsRead, 1)
		b.account.Count(account.BytesRead, len(data))
		batch = append(batch, blob{id: id, data: bytes.Clone(data)})
		if size += len(data); len(batch) == chunk || size > chunkSize {
			work <- batch
			batch, size = nil, 0
		}
	})
	if len(batch) > 0 {
		work <- batch
	}
	if err == nil {
		err = context.Cause(b.ctx)
	}
	if err != nil {
		return fmt.Errorf("reading files: %w", err)
	}
	return nil
}

// count tells the account of a content, once: its size, and the bytes that the repository passed on for it.
func (b *batches) count(id string, size, stored int) {
	if b.counted[id] {
		return
	}
	b.counted[id] = true
	b.account.Read(size, stored)
}
