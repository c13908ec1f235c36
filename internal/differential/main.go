// Command differential compares what gwplan says of random clusters with what the controllers' own code says.
//
// A judge for each controller calls that code in process: a Go module of its own in the folder of its name, outside
// the build of gwplan. For each world, the judge's API server refuses what a cluster would refuse; of what it keeps,
// the statuses that the controller writes are compared with those of `gwplan status --complete`, place by place: an
// object, a listener of it, a parent of a route, an ancestor of a policy. Telling places are those where not all is
// well: rejected, unresolved, conflicted, overridden, merged.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/differential/world"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	worlds := flag.Uint64("worlds", 300, "how many worlds each judge gets")
	from := flag.Uint64("from", 0, "seed of the first world")
	only := flag.String("judges", "", "names of judges, separated by commas; all by default")
	top := flag.Int("top", 0, "print so many kinds of disagreement of each judge")
	shrink := flag.Int("shrink", 0, "make the smallest world for so many kinds of disagreement")
	out := flag.String("out", "", "folder for the shrunk worlds")
	program := flag.String("gwplan", "", "path of gwplan; by default it is built")
	binaries := map[string]string{}
	flag.Func("binary", "NAME=PATH of the program of a judge that is not part of this repository", func(text string) error {
		name, path, _ := strings.Cut(text, "=")
		binaries[name] = path
		return nil
	})
	flag.Parse()

	folder, err := os.MkdirTemp("", "differential")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if *program == "" {
		*program = filepath.Join(folder, "gwplan")
		if err := build(ctx, filepath.Join("..", ".."), *program, "./cmd/gwplan"); err != nil {
			return err
		}
	}
	for _, j := range judges {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), j.name) {
			continue
		}
		binary := binaries[j.name]
		switch {
		case binary != "":
		case j.elsewhere:
			continue
		default:
			binary = filepath.Join(folder, j.name)
			if err := build(ctx, j.name, binary, "."); err != nil {
				return err
			}
		}
		court, err := open(ctx, j, binary, *program)
		if err != nil {
			return err
		}
		r := newReport(j.name)
		for seed := *from; seed < *from+*worlds; seed++ {
			v, err := court.try(world.New(seed, j.dialect))
			if err != nil {
				return fmt.Errorf("%s: world %d: %w", j.name, seed, err)
			}
			r.add(seed, v)
		}
		fmt.Println(r.line())
		for _, d := range r.most(*top) {
			fmt.Println("  " + r.describe(d))
		}
		if err := court.shrinkAll(r, r.most(*shrink), *out); err != nil {
			return err
		}
		if err := court.close(); err != nil {
			return err
		}
	}
	return nil
}
