package source

import (
	"crypto/sha1" // git's object ids
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// store reads a folder on disk by paths without links, one call at a time. It keeps the folders on
// the last path open, so that a sorted listing opens each folder once.
type store struct {
	root   *os.Root
	name   string
	way    []openFolder
	sha256 bool
	limit  int64
	ids    map[string]string // ids of identified files, by path; empty if the file cannot be read
}

type openFolder struct {
	path string
	root *os.Root
}

// tooLarge is the size of a file over the limit.
type tooLarge int64

func (t tooLarge) Error() string { return strconv.FormatInt(int64(t), 10) + " bytes" }

// unusable is the reason why a path is not read.
type unusable string

func (u unusable) Error() string { return string(u) }

const (
	errNoFolder  unusable = "a folder on its path is a link or a file"
	errIrregular unusable = "not a regular file"
)

// close closes all open folders.
func (s *store) close() error {
	s.leave(0)
	return s.root.Close()
}

// leave closes all open folders after the first n.
func (s *store) leave(n int) {
	for _, f := range s.way[n:] {
		_ = f.root.Close() // nothing was written
	}
	s.way = s.way[:n]
}

// folder opens a folder, but never through a link. A link that appears after the listing was made
// could lead into .git.
func (s *store) folder(dir string) (*os.Root, error) {
	n := 0
	for n < len(s.way) && contains(s.way[n].path, dir) {
		n++
	}
	s.leave(n)
	at, path := s.root, ""
	if n > 0 {
		at, path = s.way[n-1].root, s.way[n-1].path
	}
	if path == dir {
		return at, nil
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(dir[len(path):], "/"), "/") {
		info, err := at.Lstat(name)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, errNoFolder
		}
		if at, err = at.OpenRoot(name); err != nil {
			return nil, err
		}
		path = join(path, name)
		s.way = append(s.way, openFolder{path, at})
	}
	return at, nil
}

func (s *store) lstat(path string) (fs.FileInfo, error) {
	at, err := s.folder(folderOf(path))
	if err != nil {
		return nil, err
	}
	if path == "" {
		return at.Lstat(".")
	}
	return at.Lstat(base(path))
}

func (s *store) readlink(path string) (string, error) {
	at, err := s.folder(folderOf(path))
	if err != nil {
		return "", err
	}
	return at.Readlink(base(path))
}

// read returns the content of a regular file; tooLarge if it is over the limit.
func (s *store) read(path string) ([]byte, error) {
	info, err := s.lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errIrregular
	}
	if info.Size() > s.limit {
		return nil, tooLarge(info.Size())
	}
	f, err := s.open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	return readLimited(f, info.Size(), s.limit)
}

// open opens a regular file.
func (s *store) open(path string) (*os.File, error) {
	at, err := s.folder(folderOf(path))
	if err != nil {
		return nil, err
	}
	// Do not wait for a writer in case the file is now a pipe.
	f, err := at.OpenFile(base(path), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := f.Stat(); err != nil || !opened.Mode().IsRegular() {
		_ = f.Close() // nothing was written
		return nil, errIrregular
	}
	return f, nil
}

// onlyCRDs reports whether a file over the limit contains only CRDs.
func (s *store) onlyCRDs(path string) bool {
	f, err := s.open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // nothing was written
	var scan crdScan
	n, err := io.Copy(&scan, io.LimitReader(f, maxDrained+1))
	return err == nil && n <= maxDrained && scan.only()
}

// readLimited reads to the end; it fails if that is over the limit.
func readLimited(r io.Reader, size, limit int64) ([]byte, error) {
	data := make([]byte, 0, size+1)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if int64(len(data)) > limit {
			return nil, tooLarge(len(data))
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// blobID returns the Git id of a content.
func (s *store) blobID(data []byte) string {
	var h hash.Hash = sha1.New()
	if s.sha256 {
		h = sha256.New()
	}
	h.Write([]byte("blob " + strconv.Itoa(len(data)) + "\x00"))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

func base(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }
