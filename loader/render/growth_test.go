package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/account"
)

// TestWorkIsShared counts what two revisions take that differ in one overlay: each content is decoded
// and each equal build run once, and work doubles at most with the overlays.
func TestWorkIsShared(t *testing.T) {
	tree := func(n int, last string) string {
		files := []string{"base/kustomization.yaml", "resources: [gw.yaml]\n", "base/gw.yaml", classed("gw", "one")}
		for i := range n {
			suffix := fmt.Sprint("-", i)
			if i == n-1 {
				suffix = last
			}
			files = append(files, fmt.Sprintf("over/%d/kustomization.yaml", i), "resources: [../../base]\nnameSuffix: "+suffix+"\n")
		}
		return archive(files...)
	}
	var before account.Costs
	for _, n := range []int{10, 20, 40} {
		opts := needless()
		opts.Account = account.New(0, 0)
		renderAll(t, opts, tree(n, "-last"), tree(n, "-other"))
		costs := opts.Account.Costs()
		for counter, want := range map[account.Counter]int64{
			account.FilesDecoded:        int64(n) + 3, // the base, its kustomization, the overlays, one of them twice
			account.KustomizationsBuilt: int64(n) + 1,
			account.DocumentsDecoded:    1,
		} {
			if got := costs.Counters[counter]; got != want {
				t.Errorf("%d overlays: %s is %d, want %d", n, counter, got, want)
			}
		}
		if blobs := costs.Counters[account.BlobsRead]; before.Counters != nil && blobs > 2*before.Counters[account.BlobsRead] {
			t.Errorf("%d overlays: %d blobs after %d", n, blobs, before.Counters[account.BlobsRead])
		}
		before = costs
	}
}

// TestPhases: what a run takes is told by phase.
func TestPhases(t *testing.T) {
	opts := needless()
	opts.Account = account.New(0, 0)
	render(t, archive("a.yaml", classed("gw", "one")), opts)
	var names []string
	for _, p := range opts.Account.Costs().Phases {
		names = append(names, p.Name)
	}
	if got := strings.Join(names, " "); got != "read render" {
		t.Errorf("the phases are %q", got)
	}
}
