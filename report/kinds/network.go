package kinds

import (
	"fmt"
	"io"

	"github.com/gwplan/gwplan/analyze/network"
)

// ExplainNetwork writes what is known of a kind of network policy.
func ExplainNetwork(w io.Writer, k *network.Kind) {
	fmt.Fprintf(w, "%s (a network policy)\n\n%s\n\nNot followed: what is beyond what is computed here\n", k, k.Decides)
	for _, text := range k.NotFollowed {
		fmt.Fprintf(w, "  %s\n", text)
	}
	fmt.Fprintf(w, "\nSource\n  %s\n", k.Source)
}
