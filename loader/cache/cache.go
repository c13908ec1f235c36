// Package cache keeps the results of expensive work between runs, in a folder,
// by the content of what they were made of.
//
// It is not trusted blindly: an entry carries a checksum over itself and its key,
// and one that does not fit is no entry. That finds damage; who may write to the
// folder may write entries. Entries are written beside their place and renamed, so
// runs at the same time and runs that crash leave nothing half written behind.
package cache

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"time"
)

// Key identifies a result: a hash of all that it was made of, the version of the
// program included.
type Key = [sha256.Size]byte

// magic begins every entry; the number goes up when their shape changes.
const magic = "gwplan cache 1\n"

// maxEntry bounds what is read and written.
const maxEntry = 64 << 20

// Cache is a folder of entries. A nil one holds nothing.
type Cache struct{ root *os.Root }

// Open opens a folder, and makes it where there is none.
func Open(dir string) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the cache: %v", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the cache: %v", err)
	}
	return &Cache{root: root}, nil
}

// Close lets go of the folder.
func (c *Cache) Close() error {
	if c == nil {
		return nil
	}
	return c.root.Close()
}

// name spreads entries over folders, since some file systems are slow with many
// files in one.
func name(key Key) (dir, file string) {
	text := hex.EncodeToString(key[:])
	return text[:2], path.Join(text[:2], text[2:])
}

// Get gives what was kept under a key.
func (c *Cache) Get(key Key) ([]byte, bool) {
	if c == nil {
		return nil, false
	}
	_, file := name(key)
	info, err := c.root.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxEntry {
		return nil, false
	}
	data, err := c.root.ReadFile(file)
	if err != nil {
		return nil, false
	}
	body, ok := opened(key, data)
	if !ok {
		_ = c.root.Remove(file) // it is worth nothing, and the next run writes it anew
		return nil, false
	}
	return body, true
}

// opened checks an entry.
func opened(key Key, data []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok || len(rest) < sha256.Size {
		return nil, false
	}
	body := rest[sha256.Size:]
	if sum := checksum(key, body); !bytes.Equal(sum[:], rest[:sha256.Size]) {
		return nil, false
	}
	return body, true
}

func checksum(key Key, body []byte) [sha256.Size]byte {
	h := sha256.New()
	h.Write(key[:])
	h.Write(body)
	return [sha256.Size]byte(h.Sum(nil))
}

// Put keeps a result. Where that fails nothing is lost but time.
func (c *Cache) Put(key Key, body []byte) {
	if c == nil || len(body) > maxEntry-len(magic)-sha256.Size {
		return
	}
	sum := checksum(key, body)
	data := append(append([]byte(magic), sum[:]...), body...)
	dir, file := name(key)
	// Processes that share a folder may share their numbers, too.
	temporary := path.Join(dir, "tmp-"+rand.Text())
	_ = c.root.Mkdir(dir, 0o700) // it mostly exists
	if err := c.root.WriteFile(temporary, data, 0o600); err != nil {
		_ = c.root.Remove(temporary)
		return
	}
	if err := c.root.Rename(temporary, file); err != nil {
		_ = c.root.Remove(temporary)
	}
}

// pruned is a file whose age says when entries were last removed.
const pruned = "pruned"

// ours are the names of entries, whole or half written: in a folder that the caller
// names, nothing else is touched.
var ours = regexp.MustCompile(`^[0-9a-f]{2}/([0-9a-f]{62}|tmp-[A-Z2-7]+)$`)

// Prune removes entries older than an age, once a day.
func (c *Cache) Prune(now time.Time, age time.Duration) {
	if c == nil {
		return
	}
	if info, err := c.root.Stat(pruned); err == nil && info.ModTime().After(now.Add(-24*time.Hour)) {
		return
	}
	if err := c.root.WriteFile(pruned, nil, 0o600); err != nil {
		return
	}
	before := now.Add(-age)
	_ = fs.WalkDir(c.root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !ours.MatchString(p) {
			return nil
		}
		if info, err := d.Info(); err == nil && info.ModTime().Before(before) {
			_ = c.root.Remove(p)
		}
		return nil
	})
}
