package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// memory is a size in bytes, written with a unit; a number alone is MiB.
type memory uint64

// units are the units of sizes, longer ones first.
var units = []struct {
	name  string
	bytes float64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"G", 1 << 30}, {"M", 1 << 20}}

// UnmarshalText reads a size.
func (m *memory) UnmarshalText(text []byte) error {
	word, bytes := string(text), float64(1<<20)
	for _, u := range units {
		if number, ok := strings.CutSuffix(word, u.name); ok {
			word, bytes = number, u.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil || n < 0 || math.IsInf(n, 0) || math.IsNaN(n) || n*bytes > math.MaxInt64 {
		return fmt.Errorf("%q is not a size; write one as 512MiB or 8GiB", text)
	}
	*m = memory(n * bytes)
	return nil
}

// cpuTime is a duration; a number alone is seconds.
type cpuTime time.Duration

// UnmarshalText reads a duration.
func (t *cpuTime) UnmarshalText(text []byte) error {
	word := string(text)
	if _, err := strconv.ParseUint(word, 10, 64); err == nil {
		word += "s"
	}
	d, err := time.ParseDuration(word)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a time; write one as 90s or 2m", text)
	}
	*t = cpuTime(d)
	return nil
}
