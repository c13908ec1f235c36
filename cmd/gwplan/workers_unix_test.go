//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// workerVariable makes the test binary a worker: it runs commands that come in through file 3 as the program would.
const workerVariable = "GWPLAN_TEST_WORKER"

// A worker ends after so many commands or so much CPU time: a run counts the time of its process.
const (
	commandsOfWorker = 40
	timeOfWorker     = 4 * time.Second
	brokenWorkers    = 3
)

// call is what a client sends, beside its three standard streams.
type call struct {
	Args, Environ []string
	Dir           string
}

// workers starts workers and builds their client. It returns the folder of the client, a program gwplan, and the variable
// that it needs.
func workers(t *testing.T) (dir, variable string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "gwplan") // short, as the address of a socket must be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "gwplan"), ".")
	build.Dir, build.Env = filepath.Join("testdata", "client"), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	socket := filepath.Join(dir, "socket")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	shared, err := listener.File()
	if err != nil {
		t.Fatal(err)
	}
	stop := sync.OnceFunc(func() { _ = errors.Join(shared.Close(), listener.Close()) })
	t.Cleanup(stop)
	// More than one for each script, as some pipe one command into another.
	for range runtime.GOMAXPROCS(0) + 2 {
		keepWorking(t, shared, stop)
	}
	return dir, "GWPLAN_TEST_SOCKET=" + socket
}

// keepWorking starts a worker, and another one when it ends, until the test does. It stops if too many of them break down:
// then no command waits for one.
func keepWorking(t *testing.T, listener *os.File, stop func()) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for broken := 0; t.Context().Err() == nil; {
			if broken == brokenWorkers {
				stop()
				return
			}
			worker := exec.CommandContext(t.Context(), self)
			worker.Env, worker.ExtraFiles = append(os.Environ(), workerVariable+"=1"), []*os.File{listener}
			worker.Stderr = os.Stderr
			if err := worker.Run(); err != nil && t.Context().Err() == nil {
				t.Errorf("a worker ended: %v", err)
				broken++
			}
		}
	}()
	t.Cleanup(func() { <-ended })
}

// work runs commands until this worker has run enough.
func work() error {
	listener, err := net.FileListener(os.NewFile(3, "listener"))
	if err != nil {
		return err
	}
	for range commandsOfWorker {
		connection, err := listener.Accept()
		if err != nil {
			return err
		}
		err = errors.Join(serve(connection.(*net.UnixConn)), connection.Close())
		if err != nil {
			return err
		}
		var used syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil || time.Duration(used.Utime.Nano()+used.Stime.Nano()) > timeOfWorker {
			return err
		}
	}
	return nil
}

// serve runs one command as main does, in the folder, with the environment and the streams of its client.
func serve(connection *net.UnixConn) error {
	first, rights := make([]byte, 64<<10), make([]byte, syscall.CmsgSpace(3*4))
	n, m, _, _, err := connection.ReadMsgUnix(first, rights)
	if err != nil {
		return err
	}
	streams, err := files(rights[:m])
	if err != nil {
		return err
	}
	defer func() {
		for _, f := range streams {
			_ = f.Close()
		}
	}()
	rest, err := io.ReadAll(connection)
	if err != nil {
		return err
	}
	var c call
	if err := json.Unmarshal(append(first[:n], rest...), &c); err != nil {
		return err
	}
	if err := os.Chdir(c.Dir); err != nil {
		return err
	}
	os.Clearenv()
	for _, entry := range c.Environ {
		name, value, _ := strings.Cut(entry, "=")
		_ = os.Setenv(name, value)
	}
	debug.SetMemoryLimit(math.MaxInt64)
	here := terminal{stdin: &input{Reader: streams[0]}, stdout: streams[1], stderr: streams[2], environ: c.Environ}
	code := guarded(func() int { return run(c.Args, here) }, streams[2])
	_, err = connection.Write([]byte{byte(code)})
	return err
}

// files are those that came with a message.
func files(rights []byte) ([]*os.File, error) {
	messages, err := syscall.ParseSocketControlMessage(rights)
	if err != nil || len(messages) != 1 {
		return nil, errors.Join(err, errors.New("no streams"))
	}
	descriptors, err := syscall.ParseUnixRights(&messages[0])
	if err != nil {
		return nil, err
	}
	var out []*os.File
	for i, d := range descriptors {
		syscall.CloseOnExec(d)
		out = append(out, os.NewFile(uintptr(d), []string{"stdin", "stdout", "stderr"}[i]))
	}
	return out, nil
}
