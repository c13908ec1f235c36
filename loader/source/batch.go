package source

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os/exec"
	"strconv"

	"github.com/gwplan/gwplan/loader"
)

const (
	readBuffer = 256 << 10
	// maxDrained is how much of a blob over the limit is read to get to the
	// next one; beyond it a new process is cheaper.
	maxDrained = 16 << 20
	// maxDeaths bounds the processes that one call may lose: a partial clone
	// can lack every blob, and git ends at each of them.
	maxDeaths = 1000
)

// batch is one `git cat-file --batch`.
type batch struct {
	cmd    *exec.Cmd
	cancel context.CancelFunc
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
	fed    chan struct{} // closed when the feeder is done, nil without one
}

func (b *blobs) startBatch(args ...string) (*batch, error) {
	if b.git.path == "" {
		return nil, gitNotFound()
	}
	ctx, cancel := context.WithCancel(b.ctx)
	cmd, stderr := b.git.command(ctx, catFile, append([]string{"--batch"}, args...)...)
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

// feed writes all questions and closes the input, so that git answers the last
// ones from its buffer.
func (p *batch) feed(ids []string) {
	p.fed = make(chan struct{})
	go func() {
		defer close(p.fed)
		w := bufio.NewWriterSize(p.in, 32<<10)
		for _, id := range ids {
			if _, err := w.WriteString(id + "\n"); err != nil {
				break // git has ended; the reader sees that, too
			}
		}
		_ = w.Flush()
		_ = p.in.Close()
	}()
}

// end stops the process, finished or not.
func (p *batch) end() {
	p.cancel()
	_ = p.in.Close()
	if p.fed != nil {
		<-p.fed
	}
	_ = p.cmd.Wait() // how it ended says nothing that its answers did not
}

// batchReader gives the answers for a list of ids in order. Where git ends at an
// id (a partial clone, a damaged object), that id is the problem and another
// process goes on behind it.
type batchReader struct {
	blobs  *blobs
	todo   []string // not answered yet
	run    *batch
	deaths int
	buffer []byte
}

// next answers the next id, which is todo[0].
func (r *batchReader) next(id string) ([]byte, *loader.Problem, error) {
	if r.run == nil {
		if err := r.start(); err != nil {
			return nil, nil, err
		}
	}
	r.todo = r.todo[1:]
	data, missing, err := r.answer(id)
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
		if r.run, err = b.startBatch("--buffer"); err == nil {
			r.run.feed(r.todo)
		}
		return err
	}
	if b.asking == nil {
		if b.asking, err = b.startBatch(); err != nil {
			return err
		}
	}
	r.run = b.asking
	for _, id := range r.todo {
		// Few enough for the pipe, so this does not wait for git.
		if _, err := io.WriteString(r.run.in, id+"\n"); err != nil {
			break // git has ended; the answer that does not come says so
		}
	}
	return nil
}

// restartLater ends the process and gives what it said.
func (r *batchReader) restartLater() string {
	r.run.end()
	said := r.run.stderr.String()
	if r.run == r.blobs.asking {
		r.blobs.asking = nil
	}
	r.run = nil
	return said
}

// end stops the process of a call; the one for small calls stays, unless
// answers are left in it.
func (r *batchReader) end() {
	if r.run == nil || r.run == r.blobs.asking && len(r.todo) == 0 {
		return
	}
	r.restartLater()
}

// answer reads "ID TYPE SIZE\n", the content and "\n". An error means that this
// process is of no more use; with a problem, the id is answered all the same.
func (r *batchReader) answer(id string) ([]byte, *loader.Problem, error) {
	line, err := r.run.out.ReadSlice('\n')
	if err != nil {
		return nil, nil, err
	}
	f := bytes.Fields(line)
	if len(f) == 2 && string(f[0]) == id {
		return nil, missingBlob(id), nil // "missing"
	}
	if len(f) != 3 || string(f[0]) != id {
		return nil, nil, io.ErrUnexpectedEOF
	}
	isBlob := string(f[1]) == "blob"
	size, err := strconv.ParseInt(string(f[2]), 10, 64)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case !isBlob:
		return nil, missingBlob(id), r.drain(size)
	case size > r.blobs.limits.FileSize:
		return r.large(size)
	}
	return r.body(size)
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

// large looks through a body that is over the limit on the way to the next one.
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

// drain skips a body.
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
