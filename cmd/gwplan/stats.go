package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gwplan/gwplan/loader/account"
)

// statsFlags show what a run took, for reports about its speed and memory.
type statsFlags struct {
	Stats string `placeholder:"FORMAT" help:"Write to stderr what this run took: phases, counters, memory. text or json."`

	run *statsRun
}

// statsRun is a run that is measured. The flags are copied, it is not.
type statsRun struct {
	account *account.Account
	out     io.Writer
}

func (f *statsFlags) begin() error {
	if f.Stats != "" && !slices.Contains([]string{"text", "json"}, f.Stats) {
		return usageError(fmt.Sprintf("--stats %q is no format", f.Stats), "write text or json")
	}
	f.run = &statsRun{}
	return nil
}

// measure sets the account of the run.
func (f *statsFlags) measure(a *account.Account, out io.Writer) {
	if f.run != nil {
		f.run.account, f.run.out = a, out
	}
}

// end writes what the run took, if it got as far as opening its account.
func (f *statsFlags) end() error {
	if f.Stats == "" || f.run == nil || f.run.account == nil {
		return nil
	}
	costs := f.run.account.Costs()
	if f.Stats == "json" {
		return costsAsJSON(f.run.out, costs)
	}
	return costsAsText(f.run.out, costs)
}

func costsAsText(w io.Writer, c account.Costs) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "phase\tCPU\ttime\t\n")
	for _, p := range c.Phases {
		fmt.Fprintf(table, "%s\t%s\t%s\t\n", p.Name, rounded(p.CPU), rounded(p.Time))
	}
	fmt.Fprintf(table, "whole run\t%s\t\t\n", rounded(c.CPU))
	if err := table.Flush(); err != nil {
		return err
	}
	for _, name := range account.Counters() {
		if n := c.Counters[name]; n > 0 {
			fmt.Fprintf(table, "%s\t%d\t\n", words(string(name)), n)
		}
	}
	fmt.Fprintf(table, "peak memory, MiB\t%d\t\n", c.Peak>>20)
	return table.Flush()
}

func rounded(d time.Duration) string { return d.Round(time.Millisecond).String() }

// words splits a name such as blobsRead.
func words(name string) string {
	var out strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			out.WriteByte(' ')
			r += 'a' - 'A'
		}
		out.WriteRune(r)
	}
	return out.String()
}

// costsJSON is what --stats json writes.
type costsJSON struct {
	Version    string                    `json:"version"`
	Phases     []phaseJSON               `json:"phases"`
	CPUSeconds float64                   `json:"cpuSeconds"`
	PeakBytes  uint64                    `json:"peakBytes"`
	Counters   map[account.Counter]int64 `json:"counters"`
}

type phaseJSON struct {
	Name       string  `json:"name"`
	CPUSeconds float64 `json:"cpuSeconds"`
	Seconds    float64 `json:"seconds"`
}

func costsAsJSON(w io.Writer, c account.Costs) error {
	out := costsJSON{Version: version(), Phases: []phaseJSON{}, CPUSeconds: c.CPU.Seconds(), PeakBytes: c.Peak, Counters: map[account.Counter]int64{}}
	for _, name := range account.Counters() {
		out.Counters[name] = c.Counters[name]
	}
	for _, p := range c.Phases {
		out.Phases = append(out.Phases, phaseJSON{Name: p.Name, CPUSeconds: p.CPU.Seconds(), Seconds: p.Time.Seconds()})
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}
