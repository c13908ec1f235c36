package main

import (
	"testing"
	"time"
)

// Limits are written with units; a number alone has the unit of before.
func TestLimits(t *testing.T) {
	for text, want := range map[string]uint64{"512": 512 << 20, "8GiB": 8 << 30, "1.5GiB": 3 << 29, "2GB": 2e9, "100M": 100 << 20, "64KiB": 64 << 10, "0": 0} {
		var m memory
		if err := m.UnmarshalText([]byte(text)); err != nil || uint64(m) != want {
			t.Errorf("%s: %d, %v", text, m, err)
		}
	}
	for _, text := range []string{"", "much", "-1", "8 GiB", "1e300", "NaN", "5GIB"} {
		var m memory
		if m.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q is a size of %d", text, m)
		}
	}
	for text, want := range map[string]time.Duration{"20": 20 * time.Second, "90s": 90 * time.Second, "2m": 2 * time.Minute, "0": 0} {
		var d cpuTime
		if err := d.UnmarshalText([]byte(text)); err != nil || time.Duration(d) != want {
			t.Errorf("%s: %d, %v", text, d, err)
		}
	}
	for _, text := range []string{"", "soon", "-1s", "99999999999999999999"} {
		var d cpuTime
		if d.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q is a time of %d", text, d)
		}
	}
}
