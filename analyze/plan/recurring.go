package plan

import (
	"fmt"
	"strings"
)

// Recurring tells which findings of several environments are one: those that differ in the requests that they name alone, as
// hostnames differ by environment. The zero value is ready for the first environment.
type Recurring struct {
	// known are the numbers of the findings of the current environment that differ in requests alone, by their requests.
	known map[string]map[string]int
}

// Next begins another environment.
func (r *Recurring) Next() { r.known = nil }

// Key identifies a finding that names requests in all environments. It is "" for other findings.
func (r *Recurring) Key(f *Finding) string {
	if f.Requests == "" {
		return ""
	}
	key := fmt.Sprintf("%s %s %s %s %s %s:%d:%d %s", f.Rule, f.Severity, f.State, f.Target, f.Side, f.File, f.Line, f.Column, strings.Replace(f.Message, f.Requests, "", 1))
	if r.known == nil {
		r.known = map[string]map[string]int{}
	}
	if r.known[key] == nil {
		r.known[key] = map[string]int{}
	}
	number, known := r.known[key][f.Requests]
	if !known {
		number = len(r.known[key])
		r.known[key][f.Requests] = number
	}
	return fmt.Sprintf("%s %d", key, number)
}

// NamingAll returns a finding that names the requests of all environments that have it.
func (f Finding) NamingAll(requests []string) Finding {
	if len(requests) < 2 {
		return f
	}
	all := strings.Join(requests, " and ")
	if more := len(requests) - 2; more > 0 {
		all = fmt.Sprintf("%s, %s and %d more", requests[0], requests[1], more)
	}
	f.Title, f.Message = strings.Replace(f.Title, f.Requests, all, 1), strings.Replace(f.Message, f.Requests, all, 1)
	f.Requests = all
	return f
}
