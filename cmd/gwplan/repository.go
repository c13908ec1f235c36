package main

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// repository writes the .git folder of a repository, for the demo. It needs no git, user name or
// configuration, and its commit ids are always the same.
type repository struct {
	dir    string
	parent string
}

func newRepository(dir string) (*repository, error) {
	for _, sub := range []string{"objects", "refs/heads"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, err
		}
	}
	files := map[string]string{
		"HEAD":   "ref: refs/heads/main\n",
		"config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return &repository{dir: dir}, nil
}

// commit adds a commit of the given files to the branch.
func (r *repository) commit(files map[string][]byte, message string) error {
	tree, err := r.tree(files, "")
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	if r.parent != "" {
		fmt.Fprintf(&b, "parent %s\n", r.parent)
	}
	const who = "Chihiro <chihiro@cupcakes.example> 1735689600 +0000"
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s\n", who, who, message)
	if r.parent, err = r.object("commit", []byte(b.String())); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dir, "refs/heads/main"), []byte(r.parent+"\n"), 0o644)
}

// tree writes the files below a folder and returns the id of the tree.
func (r *repository) tree(files map[string][]byte, folder string) (string, error) {
	entries := map[string]string{} // sort key to mode, name and raw id
	for _, path := range slices.Sorted(maps.Keys(files)) {
		rest, below := strings.CutPrefix(path, folder)
		if !below {
			continue
		}
		name, _, nested := strings.Cut(rest, "/")
		mode, key := "100644", name
		if nested {
			mode, key = "40000", name+"/" // folders sort as if they ended in a slash
		}
		if entries[key] != "" {
			continue
		}
		id, err := r.object("blob", files[path])
		if nested {
			id, err = r.tree(files, folder+name+"/")
		}
		if err != nil {
			return "", err
		}
		raw, err := hex.DecodeString(id)
		if err != nil {
			return "", err
		}
		entries[key] = mode + " " + name + "\x00" + string(raw)
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		b.WriteString(entries[key])
	}
	return r.object("tree", []byte(b.String()))
}

// object writes a loose object and returns its id.
func (r *repository) object(kind string, body []byte) (string, error) {
	data := append(fmt.Appendf(nil, "%s %d\x00", kind, len(body)), body...)
	sum := sha1.Sum(data)
	id := hex.EncodeToString(sum[:])
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	if _, err := w.Write(data); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	dir := filepath.Join(r.dir, "objects", id[:2])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return id, os.WriteFile(filepath.Join(dir, id[2:]), packed.Bytes(), 0o644)
}
