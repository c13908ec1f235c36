package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gwplan/gwplan/loader/cache"
)

// cacheAge is how long the result of a build is kept.
const cacheAge = 30 * 24 * time.Hour

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
	c, err := cache.Open(dir)
	if err != nil {
		if in.Cache == "" {
			return nil, nil //nolint:nilerr // there is no cache then
		}
		return nil, usageError("--cache: "+err.Error(), "name a folder that can be written, or use --no-cache")
	}
	c.Prune(time.Now(), cacheAge)
	return c, nil
}

// cacheKey identifies what determines results besides their input: the program and the kinds that
// the configuration adds. A program without a version is identified by its file.
func (s *settings) cacheKey() string {
	program := version()
	if path, err := os.Executable(); err == nil && (program == "devel" || strings.HasSuffix(program, "+dirty")) {
		if info, err := os.Stat(path); err == nil {
			program = fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	kinds, err := json.Marshal([]any{s.config.Kinds, s.config.Roots})
	if err != nil {
		return ""
	}
	return program + " " + string(kinds)
}
