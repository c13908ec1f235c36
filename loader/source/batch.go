package source

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"os/exec"
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/loader"
)

const (
	readBuffer = 256 << 10
	// maxDrained is the size up to which a blob over the limit is read to reach the next one.
	// Beyond it, starting a new process is cheaper.
	maxDrained = 16 << 20
	// maxDeaths bounds the git processes that may end early in one call. In a partial clone every
	// blob can be missing, and git exits at each of them.
	maxDeaths = 1000
)

// answers is the line that git cat-file writes before each content, contents and sizes are the flags for both and for the line alone.
const (
	answers  = "%(objectname) %(objecttype) %(objectsize) %(objectsize:disk)"
	contents = "--batch=" + answers
	sizes    = "--batch-check=" + answers
)

// batch is one running `git cat-file --batch`.
type batch struct {
	cmd    *exec.Cmd
	cancel context.CancelFunc
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
	fed    chan struct{} // closed when the goroutine that writes the ids ends; nil without one
}

func (b *blobs) startBatch(args ...string) (*batch, error) {
	if b.git.path == "" {
		return nil, gitNotFound()
	}
	ctx, cancel := context.WithCancel(b.ctx)
	cmd, stderr := b.git.command(ctx, catFile, args...)
	in, err := cmd.StdinPipe()
	if err == nil {
		var out io.ReadCloser
		if out, err = cmd.StdoutPipe(); err == nil {
			if err = cmd.Start(); err == nil {
				return &batch{cmd: cmd, cancel: cancel, in: in, out: bufio.NewReaderSize(out, readBuffer), stderr: stderr}, nil
			}
		}
	}
	err = b.git.cannotStart(ctx, catFile, err)
	cancel()
	return nil, err
}

// feed writes all ids and closes the input. Git then flushes its buffer, which contains the last
// answers.
func (p *batch) feed(ids []string) {
	p.fed = make(chan struct{})
	go func() {
		defer close(p.fed)
		w := bufio.NewWriterSize(p.in, 32<<10)
		for _, id := range ids {
			if _, err := w.WriteString(id + "\n"); err != nil {
				break // git has ended; the reader also detects that
			}
		}
		_ = w.Flush()
		_ = p.in.Close()
	}()
}

// end stops the process, even if it has not finished.
func (p *batch) end() {
	p.cancel()
	_ = p.in.Close()
	if p.fed != nil {
		<-p.fed
	}
	_ = p.cmd.Wait() // the exit status adds nothing to the answers
}

// batchReader returns the contents for a list of ids in order. If git exits at an id (a partial
// clone, a damaged object), that id becomes a problem and a new process continues with the next id.
type batchReader struct {
	blobs  *blobs
	todo   []string // not answered yet
	run    *batch
	deaths int
	buffer []byte
	// left are ids that were to be read and are left out for their sizes.
	left map[string]bool
}

// next returns the content of the next id, which must be todo[0].
func (r *batchReader) next(id string) ([]byte, *loader.Problem, error) {
	if r.run == nil {
		if err := r.start(); err != nil {
			return nil, nil, err
		}
	}
	r.todo = r.todo[1:]
	data, missing, err := r.answer(id)
	if missing != nil && r.blobs.share.judged[id] == missing && len(r.todo) > smallCall && r.left == nil {
		return nil, missing, r.leaveOut()
	}
	if err == nil {
		return data, missing, nil
	}
	if r.blobs.ctx.Err() != nil {
		return nil, nil, r.blobs.ctx.Err()
	}
	stderr := r.restartLater()
	if r.deaths++; r.deaths > maxDeaths {
		return nil, nil, tooManyLost(r.deaths)
	}
	if missing != nil {
		return nil, missing, nil
	}
	return nil, deathProblem(id, stderr), nil
}

func (r *batchReader) start() error {
	var err error
	b := r.blobs
	if len(r.todo) > smallCall {
		if r.run, err = b.startBatch(contents, "--buffer"); err == nil {
			r.run.feed(r.todo)
		}
		return err
	}
	if b.asking == nil {
		if b.asking, err = b.startBatch(contents); err != nil {
			return err
		}
	}
	r.run = b.asking
	for _, id := range r.todo {
		// The ids are few enough to fit into the pipe, so this does not wait for git.
		if _, err := io.WriteString(r.run.in, id+"\n"); err != nil {
			break // git has ended; reading the answer then fails
		}
	}
	return nil
}

// restartLater ends the process and returns its stderr.
func (r *batchReader) restartLater() string {
	r.run.end()
	said := r.run.stderr.String()
	if r.run == r.blobs.asking {
		r.blobs.asking = nil
	}
	r.run = nil
	return said
}

// end stops the process of a call. It keeps the process for small calls, unless that process has
// unread answers.
func (r *batchReader) end() {
	if r.run == nil || r.run == r.blobs.asking && len(r.todo) == 0 {
		return
	}
	r.restartLater()
}

// leaveOut asks git for the sizes of what is still to be read, and takes out what must not be read: where one content must
// not, thousands may follow.
func (r *batchReader) leaveOut() error {
	r.restartLater()
	r.left = map[string]bool{}
	asked, err := r.blobs.startBatch(sizes, "--buffer")
	if err != nil {
		return err
	}
	defer asked.end()
	asked.feed(r.todo)
	r.todo = slices.DeleteFunc(r.todo, func(id string) bool {
		h, err := asked.header(id)
		r.left[id] = err == nil && h.blob && r.blobs.share.judge(id, h.size, h.stored) != nil
		return r.left[id]
	})
	return nil
}

// header is what git says of an object: "ID TYPE SIZE STORED".
type header struct {
	blob, missing bool
	size, stored  int64
}

func (p *batch) header(id string) (header, error) {
	line, err := p.out.ReadSlice('\n')
	if err != nil {
		return header{}, err
	}
	f := bytes.Fields(line)
	if len(f) == 2 && string(f[0]) == id {
		return header{missing: true}, nil // git answered "missing"
	}
	if len(f) != 4 || string(f[0]) != id {
		return header{}, io.ErrUnexpectedEOF
	}
	size, err := strconv.ParseInt(string(f[2]), 10, 64)
	stored, noStored := strconv.ParseInt(string(f[3]), 10, 64)
	return header{blob: string(f[1]) == "blob", size: size, stored: stored}, cmp.Or(err, noStored)
}

// answer reads a header, the content and "\n". After an error this process cannot be used
// any more; if a problem is also returned, it is still the answer for the id.
func (r *batchReader) answer(id string) ([]byte, *loader.Problem, error) {
	h, err := r.run.header(id)
	if err != nil {
		return nil, nil, err
	}
	if h.missing {
		return nil, missingBlob(id), nil
	}
	if !h.blob {
		return nil, missingBlob(id), r.drain(h.size)
	}
	if over := r.blobs.share.judge(id, h.size, h.stored); over != nil {
		return nil, over, r.drain(h.size)
	}
	r.blobs.stored.Add(h.stored)
	if h.size > r.blobs.limits.FileSize {
		return r.large(h.size)
	}
	return r.body(h.size)
}

func (r *batchReader) body(size int64) ([]byte, *loader.Problem, error) {
	if int64(cap(r.buffer)) < size+1 {
		r.buffer = make([]byte, size+size/2+1)
	}
	data := r.buffer[:size+1]
	if _, err := io.ReadFull(r.run.out, data); err != nil {
		return nil, nil, err
	}
	return data[:size], nil, nil
}

// large reads past a body over the limit and checks whether it contains only CRDs.
func (r *batchReader) large(size int64) ([]byte, *loader.Problem, error) {
	limit := r.blobs.limits.FileSize
	if size > maxDrained {
		return nil, sizeProblem(size, limit, false), r.drain(size)
	}
	var scan crdScan
	if _, err := io.CopyN(&scan, r.run.out, size); err != nil {
		return nil, sizeProblem(size, limit, false), err
	}
	_, err := r.run.out.Discard(1)
	return nil, sizeProblem(size, limit, scan.only()), err
}

// drain skips a body and its final newline.
func (r *batchReader) drain(size int64) error {
	if size > maxDrained {
		return io.ErrShortBuffer
	}
	_, err := r.run.out.Discard(int(size) + 1)
	return err
}

func deathProblem(id, stderr string) *loader.Problem {
	p := missingBlob(id)
	line, _, _ := bytes.Cut(bytes.TrimSpace([]byte(stderr)), []byte{'\n'})
	if len(line) > 0 {
		p.Message += ": " + printable(string(line))
	}
	return p
}
