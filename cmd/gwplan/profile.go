package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
)

// profileFlags write profiles of a run, for reports about its speed and memory.
type profileFlags struct {
	Profile string `placeholder:"DIR" help:"Write profiles of this run to DIR, cpu.pprof and heap.pprof, for go tool pprof."`

	cpu *os.File
}

// begin begins the profile of CPU time.
func (f *profileFlags) begin() error {
	if f.Profile == "" {
		return nil
	}
	file, err := f.create("cpu.pprof")
	if err != nil {
		return err
	}
	f.cpu = file
	return pprof.StartCPUProfile(file)
}

// end ends the profile of CPU time and writes that of memory.
func (f *profileFlags) end() error {
	if f.cpu == nil {
		return nil
	}
	pprof.StopCPUProfile()
	heap, err := f.create("heap.pprof")
	if err != nil {
		return errors.Join(f.cpu.Close(), err)
	}
	runtime.GC() // the profile shows what is in use after a collection
	return errors.Join(f.cpu.Close(), pprof.WriteHeapProfile(heap), heap.Close())
}

func (f *profileFlags) create(name string) (*os.File, error) {
	if err := os.MkdirAll(f.Profile, 0o755); err != nil {
		return nil, usageError("--profile: "+err.Error(), "name a folder that can be written")
	}
	path := filepath.Join(f.Profile, name)
	if link := linkOnTheWay(path); link != "" {
		return nil, usageError(fmt.Sprintf("--profile: %s is a symbolic link: a profile is not written through it", link), "name the folder that it leads to")
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, usageError("--profile: "+err.Error(), "name a folder that can be written")
	}
	return file, nil
}
