package cache_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/gwplan/gwplan/loader/cache"
)

func open(t *testing.T, dir string) *cache.Cache {
	t.Helper()
	c, err := cache.Open(dir, []byte("own"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func key(text string) cache.Key { return sha256.Sum256([]byte(text)) }

// entries are the files of a cache, without the marker of the last pruning.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != "pruned" {
			out = append(out, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestKeeps(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "when", "needed")
	c := open(t, dir)
	if _, ok := c.Get(key("a")); ok {
		t.Error("an empty cache has an entry")
	}
	c.Put(key("a"), []byte("one"))
	c.Put(key("a"), []byte("two"))
	c.Put(key("b"), nil)
	for range 2 {
		if got, ok := c.Get(key("a")); !ok || string(got) != "two" {
			t.Errorf("a is %q, %v", got, ok)
		}
		if got, ok := c.Get(key("b")); !ok || len(got) != 0 {
			t.Errorf("b is %q, %v", got, ok)
		}
		c = open(t, dir) // a later run
	}
}

// TestNil: a run without a cache works like one with an empty one.
func TestNil(t *testing.T) {
	var c *cache.Cache
	c.Put(key("a"), []byte("x"))
	if _, ok := c.Get(key("a")); ok {
		t.Error("nothing holds an entry")
	}
	c.Prune(time.Now(), time.Hour, 1<<20)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestNotTrusted: an entry that was cut short, changed, swapped with another or
// replaced by something else is no entry.
func TestNotTrusted(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, file, other string){
		"empty":     func(t *testing.T, file, _ string) { write(t, file, nil) },
		"cut short": func(t *testing.T, file, _ string) { data := read(t, file); write(t, file, data[:len(data)-1]) },
		"cut off":   func(t *testing.T, file, _ string) { write(t, file, read(t, file)[:20]) },
		"changed": func(t *testing.T, file, _ string) {
			data := read(t, file)
			data[len(data)-1] ^= 1
			write(t, file, data)
		},
		"longer": func(t *testing.T, file, _ string) { write(t, file, append(read(t, file), 0)) },
		"other format": func(t *testing.T, file, _ string) {
			write(t, file, bytes.Replace(read(t, file), []byte("cache 2"), []byte("cache 0"), 1))
		},
		"another's": func(t *testing.T, file, other string) { write(t, file, read(t, other)) },
		"of another user": func(t *testing.T, file, _ string) {
			dir := filepath.Dir(filepath.Dir(file))
			c, err := cache.Open(dir, []byte("not own"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			c.Put(key("a"), []byte("forged"))
		},
		"a folder": func(t *testing.T, file, _ string) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(file, 0o700); err != nil {
				t.Fatal(err)
			}
		},
		"a link out": func(t *testing.T, file, other string) {
			outside := filepath.Join(t.TempDir(), "x")
			write(t, outside, read(t, file))
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(outside, file); err != nil {
				t.Fatal(err)
			}
		},
	} {
		dir, otherDir := t.TempDir(), t.TempDir()
		c, other := open(t, dir), open(t, otherDir)
		c.Put(key("a"), []byte("the result"))
		other.Put(key("b"), []byte("another result"))
		spoil(t, entries(t, dir)[0], entries(t, otherDir)[0])
		if got, ok := c.Get(key("a")); ok {
			t.Errorf("%s: gave %q", name, got)
		}
		if name == "a folder" {
			continue
		}
		c.Put(key("a"), []byte("anew"))
		if got, ok := c.Get(key("a")); !ok || string(got) != "anew" {
			t.Errorf("%s: cannot be written anew: %q, %v", name, got, ok)
		}
	}
}

// TestSideBySide: runs at the same time see whole entries or none, and leave
// nothing half written.
func TestSideBySide(t *testing.T) {
	dir := t.TempDir()
	body := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, 10_000) }
	var wg sync.WaitGroup
	for range 8 {
		c := open(t, dir)
		wg.Go(func() {
			for i := range 50 {
				c.Put(key(fmt.Sprint(i)), body(i))
				if got, ok := c.Get(key(fmt.Sprint(i))); ok && !bytes.Equal(got, body(i)) {
					t.Errorf("entry %d is not whole", i)
				}
			}
		})
	}
	wg.Wait()
	if n := len(entries(t, dir)); n != 50 {
		t.Errorf("%d files, want 50", n)
	}
}

// TestPrune: old entries go, once a day.
func TestPrune(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	c := open(t, dir)
	c.Put(key("old"), []byte("x"))
	if err := os.Chtimes(entries(t, dir)[0], now, now.Add(-48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	c.Put(key("new"), []byte("y"))
	for _, file := range []string{"theirs.txt", "ab/theirs.txt"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, file), []byte("x"))
		if err := os.Chtimes(filepath.Join(dir, file), now, now.Add(-48*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	c.Prune(now, 24*time.Hour, 1<<20)
	for _, file := range []string{"theirs.txt", "ab/theirs.txt"} {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Errorf("a file that is none of ours is gone: %v", err)
		}
	}
	if _, ok := c.Get(key("old")); ok {
		t.Error("the old entry is there")
	}
	if _, ok := c.Get(key("new")); !ok {
		t.Error("the new entry is gone")
	}
	c.Prune(now, 0, 0)
	if _, ok := c.Get(key("new")); !ok {
		t.Error("it was pruned twice on one day")
	}
}

// TestPruneSize: the oldest entries go until the rest fits.
func TestPruneSize(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	c := open(t, dir)
	known := map[string]bool{}
	for i, name := range []string{"first", "second", "third"} {
		c.Put(key(name), make([]byte, 1000))
		for _, file := range entries(t, dir) {
			if !known[file] {
				known[file] = true
				if err := os.Chtimes(file, now, now.Add(time.Duration(i-10)*time.Minute)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	c.Prune(now, time.Hour, 2500)
	for name, stays := range map[string]bool{"first": false, "second": true, "third": true} {
		if _, ok := c.Get(key(name)); ok != stays {
			t.Errorf("%s is there: %t", name, ok)
		}
	}
}

func TestRefusesFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	write(t, file, []byte("x"))
	if _, err := cache.Open(file, nil); err == nil {
		t.Error("a file is no cache")
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
