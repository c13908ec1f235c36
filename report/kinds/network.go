package kinds

import (
	"fmt"
	"io"

	"github.com/gwplan/gwplan/analyze/network"
)

// ExplainNetwork writes what is known of a kind of network policy, or of one that these refer to.
func ExplainNetwork(w io.Writer, k *network.Kind) {
	what := "a network policy"
	if !k.IsPolicy() {
		what = "what network policies refer to"
	}
	fmt.Fprintf(w, "%s (%s)\n\n%s\n", k, what, k.Decides)
	if len(k.NotFollowed) > 0 {
		fmt.Fprint(w, "\nNot followed: what is beyond what is computed here\n")
	}
	for _, text := range k.NotFollowed {
		fmt.Fprintf(w, "  %s\n", text)
	}
	fmt.Fprintf(w, "\nSource\n  %s\n", k.Source)
}
