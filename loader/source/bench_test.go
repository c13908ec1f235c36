package source_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
)

// corpus is a repository of packed commits main~1 and main: 40 % of the files
// are distinct, 1 % differ between the two.
func corpus(b *testing.B, files int) *repo {
	b.Helper()
	r := &repo{dir: b.TempDir(), env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}}
	if out, err := r.try(nil, "init", "-q", "--bare"); err != nil {
		b.Fatal(out)
	}
	var stream strings.Builder
	for revision := range 2 {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter A <a@b> %d +0000\ndata 0\n", revision)
		for i := range files {
			text := fmt.Sprintf("kind: Deployment\nname: app-%d\n%s", i*4/10, strings.Repeat("env: value\n", 70))
			if revision == 1 && i%100 == 0 {
				text += "edited: true\n"
			}
			fmt.Fprintf(&stream, "M 100644 inline clusters/c%d/apps/app-%d.yaml\ndata %d\n%s\n", i%20, i, len(text), text)
		}
	}
	if out, err := r.try([]byte(stream.String()), "fast-import", "--quiet"); err != nil {
		b.Fatal(err, out)
	}
	return r
}

// BenchmarkEach reads the distinct files of both trees; BenchmarkOpenPair is
// what comes before.
func BenchmarkEach(b *testing.B) {
	for _, files := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			r := corpus(b, files)
			base, head, err := source.OpenPair(context.Background(), source.Request{Dir: r.dir, Revisions: []string{"main~1", "main"}, Environ: r.env})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = base.Blobs.Close() }()
			all := ids(base, head)
			b.ReportAllocs()
			for b.Loop() {
				var size int64
				err := base.Blobs.Each(all, func(_ string, data []byte, _ *loader.Problem) { size += int64(len(data)) })
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(size)
			}
		})
	}
}

func BenchmarkOpenPair(b *testing.B) {
	for _, files := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			r := corpus(b, files)
			b.ReportAllocs()
			for b.Loop() {
				base, _, err := source.OpenPair(context.Background(), source.Request{Dir: r.dir, Revisions: []string{"main~1", "main"}, Environ: r.env})
				if err != nil {
					b.Fatal(err)
				}
				_ = base.Blobs.Close()
			}
		})
	}
}
