package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gwplan/gwplan/loader/cache"
)

// cacheAge is how long a result is kept, cacheSize how many bytes all of them may have, as counted once a day.
const (
	cacheAge  = 30 * 24 * time.Hour
	cacheSize = 1 << 30
)

// openCache opens the folder with results of earlier runs: the folder that the caller names, or
// else the user's cache folder. In continuous integration it opens none, because folders do not
// persist. An unusable folder is an error only if the caller named it.
func openCache(t terminal, in inputFlags) (*cache.Cache, error) {
	dir := in.Cache
	switch {
	case in.NoCache:
		return nil, nil
	case dir != "":
		dir = in.path(dir)
	case t.env("CI") != "" && t.env("CI") != "false":
		return nil, nil
	default:
		own, err := os.UserCacheDir()
		if err != nil {
			return nil, nil //nolint:nilerr // there is no cache then
		}
		dir = filepath.Join(own, "gwplan")
	}
	c, err := openSafely(dir, in.path(""), t)
	if err != nil {
		if in.Cache == "" {
			return nil, nil //nolint:nilerr // there is no cache then
		}
		return nil, usageError("--cache: "+err.Error(), "name a folder outside the repository that can be written, or use --no-cache")
	}
	c.Prune(time.Now(), cacheAge, cacheSize)
	return c, nil
}

// openSafely opens a cache unless it is in the repository that is read: its entries could come
// with the repository.
func openSafely(dir, repository string, t terminal) (*cache.Cache, error) {
	inside, err := isInside(dir, topOf(repository))
	switch {
	case err != nil:
		return nil, err
	case inside:
		return nil, fmt.Errorf("the folder %s is in the repository, which could bring entries of its own", dir)
	}
	secret, err := cacheSecret(t)
	if err != nil {
		return nil, err
	}
	return cache.Open(dir, secret)
}

// topOf returns the closest folder at or above dir that has a .git, or dir itself.
func topOf(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for top := abs; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return top
		}
		if top == filepath.Dir(top) {
			return abs
		}
	}
}

// isInside reports whether a folder, which need not exist, is top or below it, links resolved.
func isInside(dir, top string) (bool, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return false, err
	}
	for {
		resolved, err := filepath.EvalSymlinks(abs)
		if err == nil {
			abs = resolved
			break
		}
		if abs == filepath.Dir(abs) {
			return false, err
		}
		abs = filepath.Dir(abs)
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return false, err
	}
	rel, err := filepath.Rel(top, abs)
	return err == nil && filepath.IsLocal(rel), nil
}

// cacheSecret is what binds entries to their user: GWPLAN_CACHE_KEY, or else a file in the user's
// configuration folder, which is made at the first run.
func cacheSecret(t terminal) ([]byte, error) {
	if key := t.env("GWPLAN_CACHE_KEY"); key != "" {
		return []byte(key), nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "gwplan", "cache-key")
	if secret, err := os.ReadFile(file); err == nil && len(secret) > 0 {
		return secret, nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	// The file appears with its content at once: an empty secret would let anybody sign entries.
	f, err := os.CreateTemp(filepath.Dir(file), "cache-key-*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(f.Name()) }() // it is gone once it has its name
	secret := []byte(rand.Text())
	_, err = f.Write(secret)
	return secret, errors.Join(err, f.Close(), os.Rename(f.Name(), file))
}

// program identifies the program: by its version or, without one, by its file.
func program() string {
	name := version()
	if path, err := os.Executable(); err == nil && (name == "devel" || strings.HasSuffix(name, "+dirty")) {
		if info, err := os.Stat(path); err == nil {
			return fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	return name
}

// cacheKey identifies what determines results besides their input: the program and the kinds that
// the configuration adds.
func (s *settings) cacheKey(workloads bool) string {
	kinds, err := json.Marshal([]any{s.config.Kinds, s.config.Roots, workloads})
	if err != nil {
		return ""
	}
	return program() + " " + string(kinds)
}
