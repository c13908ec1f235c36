package helm

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"text/template"
	"time"
)

// durations returns the functions for durations (helm pkg/engine/funcs.go, Duration helpers). An
// invalid duration counts as 0; only mustToDuration fails.
func durations() template.FuncMap {
	const day = 24
	in := func(unit func(time.Duration) float64) func(any) float64 {
		return func(v any) float64 {
			d, err := duration(v)
			if err != nil {
				return 0
			}
			return unit(d)
		}
	}
	whole := func(unit func(time.Duration) int64) func(any) int64 {
		return func(v any) int64 {
			d, err := duration(v)
			if err != nil {
				return 0
			}
			return unit(d)
		}
	}
	to := func(multiple func(d, m time.Duration) time.Duration) func(v, m any) time.Duration {
		return func(v, m any) time.Duration {
			d, err := duration(v)
			if err != nil {
				return 0
			}
			by, err := duration(m)
			if err != nil {
				return d
			}
			return multiple(d, by)
		}
	}
	return template.FuncMap{
		"mustToDuration":       duration,
		"durationSeconds":      in(time.Duration.Seconds),
		"durationMilliseconds": whole(time.Duration.Milliseconds),
		"durationMicroseconds": whole(time.Duration.Microseconds),
		"durationNanoseconds":  whole(time.Duration.Nanoseconds),
		"durationMinutes":      in(time.Duration.Minutes),
		"durationHours":        in(time.Duration.Hours),
		"durationDays":         in(func(d time.Duration) float64 { return d.Hours() / day }),
		"durationWeeks":        in(func(d time.Duration) float64 { return d.Hours() / day / 7 }),
		"durationRoundTo":      to(time.Duration.Round),
		"durationTruncateTo":   to(time.Duration.Truncate),
	}
}

// duration reads a duration: a number means seconds (funcs.go, asDuration).
func duration(v any) (time.Duration, error) {
	switch v := v.(type) {
	case time.Duration:
		return v, nil
	case string:
		text := strings.TrimSpace(v)
		if text == "" {
			return 0, errors.New("empty duration")
		}
		if d, err := time.ParseDuration(text); err == nil {
			return d, nil
		}
		seconds, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return 0, fmt.Errorf("could not parse duration %q", v)
		}
		return ofSeconds(seconds)
	case nil:
		return 0, errors.New("invalid duration")
	}
	switch of := reflect.ValueOf(v); {
	case of.CanInt():
		if n := of.Int(); n <= math.MaxInt64/int64(time.Second) && n >= math.MinInt64/int64(time.Second) {
			return time.Duration(n) * time.Second, nil
		}
		return 0, fmt.Errorf("duration seconds overflow: %d", v)
	case of.CanUint():
		if n := of.Uint(); n <= uint64(math.MaxInt64/int64(time.Second)) {
			return time.Duration(n) * time.Second, nil //nolint:gosec // it was compared
		}
		return 0, fmt.Errorf("duration seconds overflow: %d", v)
	case of.CanFloat():
		return ofSeconds(of.Float())
	}
	return 0, fmt.Errorf("unsupported duration type %T", v)
}

func ofSeconds(seconds float64) (time.Duration, error) {
	nanoseconds := seconds * float64(time.Second)
	if math.IsNaN(seconds) || nanoseconds > math.MaxInt64 || nanoseconds < math.MinInt64 {
		return 0, fmt.Errorf("duration seconds overflow: %v", seconds)
	}
	return time.Duration(nanoseconds), nil
}
