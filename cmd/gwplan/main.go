// Command gwplan shows what a change in Git does to the effective
// configuration of Kubernetes gateways, before it is merged and without a
// cluster.
package main

import (
	"os"

	"golang.org/x/term"
)

func main() {
	t := terminal{
		stdin: &input{Reader: os.Stdin}, stdout: os.Stdout, stderr: os.Stderr, environ: os.Environ(),
		outIsTTY: term.IsTerminal(int(os.Stdout.Fd())), errIsTTY: term.IsTerminal(int(os.Stderr.Fd())),
		width: width(),
	}
	os.Exit(guarded(func() int { return run(os.Args[1:], t) }, t.stderr))
}

// width is the terminal's width, 0 if there is none.
func width() int {
	w, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0
	}
	return w
}
