// Package cache keeps the results of expensive work between runs, in a folder. The key of a
// result is a hash of the content that it was computed from.
//
// Each entry contains a code (HMAC-SHA256) over its key and content, made with a secret of the
// user. An entry with a wrong code is ignored, whether it is damaged or comes from somebody
// else. An entry is written to a temporary file and renamed, so concurrent runs and
// crashes never produce an incomplete entry.
package cache

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"time"
)

// Key identifies a result: a hash of everything that it depends on, including the version of
// the program.
type Key = [sha256.Size]byte

// magic begins every entry. The number increases when the format of entries changes.
const magic = "gwplan cache 2\n"

// maxEntry limits the bytes of an entry that is read or written.
const maxEntry = 64 << 20

// Cache is a folder of entries. A nil Cache is empty and stores nothing.
type Cache struct {
	root   *os.Root
	secret []byte
}

// Open opens a folder, and creates it if it does not exist. Only entries that were written with the
// same secret are read.
func Open(dir string, secret []byte) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the cache: %v", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the cache: %v", err)
	}
	return &Cache{root: root, secret: secret}, nil
}

// Close closes the folder.
func (c *Cache) Close() error {
	if c == nil {
		return nil
	}
	return c.root.Close()
}

// name returns the folder and path of an entry. Entries are spread over folders, because
// some file systems are slow with many files in one.
func name(key Key) (dir, file string) {
	text := hex.EncodeToString(key[:])
	return text[:2], path.Join(text[:2], text[2:])
}

// Get returns the result stored under a key, or false.
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
	body, ok := c.opened(key, data)
	if !ok {
		_ = c.root.Remove(file) // it is damaged, and the next run writes it again
		return nil, false
	}
	return body, true
}

// opened checks an entry and returns its content.
func (c *Cache) opened(key Key, data []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok || len(rest) < sha256.Size {
		return nil, false
	}
	body := rest[sha256.Size:]
	if !hmac.Equal(c.code(key, body), rest[:sha256.Size]) {
		return nil, false
	}
	return body, true
}

func (c *Cache) code(key Key, body []byte) []byte {
	h := hmac.New(sha256.New, c.secret)
	h.Write(key[:])
	h.Write(body)
	return h.Sum(nil)
}

// Put stores a result. It ignores errors, because a failure costs only time.
func (c *Cache) Put(key Key, body []byte) {
	if c == nil || len(body) > maxEntry-len(magic)-sha256.Size {
		return
	}
	data := slices.Concat([]byte(magic), c.code(key, body), body)
	dir, file := name(key)
	// Not a process ID: processes that share a folder may have equal ones, as in containers.
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

// pruned is a file whose modification time is that of the last pruning.
const pruned = "pruned"

// ours matches the paths of complete and temporary entries. Pruning removes nothing else,
// because the folder is chosen by the caller and may contain other files.
var ours = regexp.MustCompile(`^[0-9a-f]{2}/([0-9a-f]{62}|tmp-[A-Z2-7]+)$`)

// Prune removes entries older than age, and the oldest ones until the rest has at most size bytes. It does so
// at most once a day.
func (c *Cache) Prune(now time.Time, age time.Duration, size int64) {
	if c == nil {
		return
	}
	if info, err := c.root.Stat(pruned); err == nil && info.ModTime().After(now.Add(-24*time.Hour)) {
		return
	}
	if err := c.root.WriteFile(pruned, nil, 0o600); err != nil {
		return
	}
	type entry struct {
		path string
		info fs.FileInfo
	}
	var entries []entry
	total := int64(0)
	_ = fs.WalkDir(c.root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !ours.MatchString(p) {
			return nil
		}
		if info, err := d.Info(); err == nil {
			entries, total = append(entries, entry{p, info}), total+info.Size()
		}
		return nil
	})
	slices.SortFunc(entries, func(a, b entry) int { return a.info.ModTime().Compare(b.info.ModTime()) })
	for _, e := range entries {
		if total <= size && !e.info.ModTime().Before(now.Add(-age)) {
			break
		}
		_ = c.root.Remove(e.path)
		total -= e.info.Size()
	}
}
