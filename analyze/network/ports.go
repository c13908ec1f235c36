package network

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Protocol is a protocol with ports, or all others.
type Protocol uint8

// The protocols. Other is everything without ports, such as ICMP.
const (
	TCP Protocol = iota
	UDP
	SCTP
	Other
)

// protocols are all of them.
var protocols = []Protocol{TCP, UDP, SCTP, Other}

// String returns the name as manifests write it.
func (p Protocol) String() string { return [...]string{"TCP", "UDP", "SCTP", "other protocols"}[p] }

// ParseProtocol reads the name of a protocol with ports.
func ParseProtocol(name string) (Protocol, bool) {
	for _, p := range protocols[:Other] {
		if p.String() == strings.ToUpper(name) {
			return p, true
		}
	}
	return Other, false
}

// maxPort is the last port.
const maxPort = 65535

// Range is a range of ports of one protocol, both ends included. For Other, both are 0.
type Range struct {
	Protocol Protocol
	From, To int
}

// whole returns the range of all ports of a protocol.
func whole(p Protocol) Range {
	if p == Other {
		return Range{Protocol: Other}
	}
	return Range{p, 0, maxPort}
}

// isWhole reports whether a range has all ports of its protocol.
func (r Range) isWhole() bool { return r == whole(r.Protocol) }

// String returns a range as "8080/TCP", "8000-8080/TCP", "TCP" or "other protocols".
func (r Range) String() string {
	switch {
	case r.isWhole():
		return r.Protocol.String()
	case r.From == r.To:
		return fmt.Sprintf("%d/%s", r.From, r.Protocol)
	}
	return fmt.Sprintf("%d-%d/%s", r.From, r.To, r.Protocol)
}

func compareRanges(a, b Range) int {
	return cmp.Or(cmp.Compare(a.Protocol, b.Protocol), cmp.Compare(a.From, b.From))
}

// Ports is a set of ports: sorted ranges that neither overlap nor touch.
type Ports []Range

// allPorts returns every port of every protocol.
func allPorts() Ports {
	out := make(Ports, len(protocols))
	for i, p := range protocols {
		out[i] = whole(p)
	}
	return out
}

// portsOf returns the set that some ranges make.
func portsOf(ranges []Range) Ports {
	ranges = slices.Clone(ranges)
	slices.SortFunc(ranges, compareRanges)
	var out Ports
	for _, r := range ranges {
		if n := len(out); n > 0 && out[n-1].Protocol == r.Protocol && r.From <= out[n-1].To+1 {
			out[n-1].To = max(out[n-1].To, r.To)
			continue
		}
		out = append(out, r)
	}
	return out
}

// covers reports whether a range is part of the set.
func (p Ports) covers(r Range) bool {
	return slices.ContainsFunc(p, func(q Range) bool { return q.Protocol == r.Protocol && q.From <= r.From && r.To <= q.To })
}

// Rest returns all other ports.
func (p Ports) Rest() Ports {
	var out Ports
	for _, protocol := range protocols {
		next, end := 0, whole(protocol).To
		for _, r := range p {
			if r.Protocol != protocol {
				continue
			}
			if r.From > next {
				out = append(out, Range{protocol, next, r.From - 1})
			}
			next = r.To + 1
		}
		if next <= end {
			out = append(out, Range{protocol, next, end})
		}
	}
	return out
}

// minus returns the ports that are not in another set.
func (p Ports) minus(q Ports) Ports {
	var out []Range
	for _, r := range classes(append(append([]Range{}, p...), q...)) {
		if p.covers(r) && !q.covers(r) {
			out = append(out, r)
		}
	}
	return portsOf(out)
}

// All reports whether the set has every port; protocols without ports do not count.
func (p Ports) All() bool {
	all := allPorts()
	return slices.Equal(p, all) || slices.Equal(p, all[:Other])
}

// String returns the set in words: "80/TCP, 443/TCP", "every port".
func (p Ports) String() string {
	if p.All() {
		return "every port"
	}
	out := make([]string, len(p))
	for i, r := range p {
		out[i] = r.String()
	}
	return strings.Join(out, ", ")
}

// classes divides all ports into ranges such that each of the given ranges is made of whole ones.
func classes(given []Range) []Range {
	var out []Range
	for _, protocol := range protocols {
		cuts := []int{0}
		for _, r := range given {
			if r.Protocol == protocol {
				cuts = append(cuts, r.From, r.To+1)
			}
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		end := whole(protocol).To
		for i, from := range cuts {
			to := end
			if i+1 < len(cuts) {
				to = cuts[i+1] - 1
			}
			if from <= end {
				out = append(out, Range{protocol, from, min(to, end)})
			}
		}
	}
	return out
}

// PortMatch is what one entry of a rule's ports matches. Name is a named port, which means the port
// that the pod calls so; it has no range then.
type PortMatch struct {
	Range
	Name string
}
