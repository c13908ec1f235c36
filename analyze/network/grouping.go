package network

import (
	"fmt"
	"slices"
)

// found is a set of sources whose connections to some destinations differ alike.
type found struct {
	opened, sure bool
	from, to     set
	ports        Ports
	edits        []Edit
	// except are ends that keep some ports, in words.
	except []string
}

// end returns one of the two ends.
func (f *found) end(source bool) set {
	if source {
		return f.from
	}
	return f.to
}

// The limits of the exceptions that a description names: groups, and endpoints of each.
const (
	maxExceptions       = 2
	maxExceptionMembers = 3
)

// grouped joins differences that share one end and the edits. The result states what holds for most of the other
// ends, and names the rest as exceptions: "anything can no longer connect to X, except Y on 8080/TCP". Differences
// that would need too many exceptions stay separate.
func (c *comparing) grouped(list []*found, source bool) []*found {
	groups := map[string][]*found{}
	var order []string
	for _, f := range list {
		key := fmt.Sprint(f.opened, f.sure, editNames(f.edits), f.end(!source).key(), f.except)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], f)
	}
	var out []*found
	for _, key := range order {
		out = append(out, c.join(groups[key], source)...)
	}
	return out
}

func editNames(edits []Edit) []string {
	names := make([]string, len(edits))
	for i, e := range edits {
		names[i] = e.id().String()
	}
	return names
}

// alike are the endpoints at the varying end that differ on the same ports.
type alike struct {
	ports   Ports
	members set
}

func (c *comparing) join(group []*found, source bool) []*found {
	if len(group[0].except) > 0 || !c.After.effort.spend(len(c.After.views.list)+len(group)*len(group)) {
		return group
	}
	byPorts := groupedByPorts(c, group, source)
	slices.SortStableFunc(byPorts, func(a, b alike) int { return b.members.count() - a.members.count() })
	most := byPorts[0]
	out := *group[0]
	out.ports = most.ports
	members := newSet(len(c.Before.views.list))
	exceptions := 0
	for i, a := range byPorts {
		members.join(a.members)
		if i == 0 {
			continue
		}
		if len(a.ports.minus(most.ports)) > 0 {
			return merged(group, source)
		}
		kept := c.kept(&out, a.members, most.ports.minus(a.ports), source)
		if len(kept) == 0 {
			continue
		}
		if exceptions++; exceptions > maxExceptions || a.members.count() > maxExceptionMembers || len(kept) > maxExceptionMembers {
			return merged(group, source)
		}
		out.except = append(out.except, fmt.Sprintf("%s on %s", wordList(c.After.views.words(a.members)), kept))
	}
	if source {
		out.from = members
	} else {
		out.to = members
	}
	return []*found{&out}
}

// kept returns those of some ports on which an end is an exception in the second revision: still allowed although the
// difference is a cut, or still denied although it is an opening.
func (c *comparing) kept(f *found, members set, ports Ports, source bool) Ports {
	var out []Range
	for _, r := range ports {
		members.each(func(i int) {
			f.end(!source).each(func(j int) {
				from, to := i, j
				if !source {
					from, to = j, i
				}
				out = append(out, c.exceptionPorts(f.opened, from, to, r)...)
			})
		})
	}
	return portsOf(out)
}

// exceptionPorts returns the ports of a range on which the second revision denies an opened connection, or allows a
// cut one.
func (c *comparing) exceptionPorts(opened bool, from, to int, r Range) []Range {
	egress, ingress := c.After.reach(from, Egress), c.After.reach(to, Ingress)
	var out []Range
	for _, class := range partsOf(r, egress, ingress) {
		e, i := egress.at(class), ingress.at(class)
		if opened && !(e.sure.has(to) && i.sure.has(from)) || !opened && e.perhaps.has(to) && i.perhaps.has(from) {
			out = append(out, class)
		}
	}
	return out
}

// merged joins the ports of differences whose ends are equal.
func merged(group []*found, source bool) []*found {
	var out []*found
	for _, f := range group {
		i := slices.IndexFunc(out, func(g *found) bool { return g.end(source).equal(f.end(source)) })
		if i < 0 {
			out = append(out, f)
			continue
		}
		out[i].ports = portsOf(slices.Concat(out[i].ports, f.ports))
	}
	return out
}

// groupedByPorts divides the endpoints at the varying end by the ports on which they differ.
func groupedByPorts(c *comparing, group []*found, source bool) []alike {
	ports := map[int][]Range{}
	for _, f := range group {
		f.end(source).each(func(i int) { ports[i] = append(ports[i], f.ports...) })
	}
	at := map[string]int{}
	var out []alike
	for i := range c.Before.views.list {
		if len(ports[i]) == 0 {
			continue
		}
		p := portsOf(ports[i])
		key := fmt.Sprint([]Range(p))
		n, known := at[key]
		if !known {
			n = len(out)
			at[key] = n
			out = append(out, alike{ports: p, members: newSet(len(c.Before.views.list))})
		}
		out[n].members.add(i)
	}
	return out
}

// wordList joins words for the middle of a sentence.
func wordList(words []string) string {
	switch n := len(words); n {
	case 0:
		return "nothing"
	case 1:
		return words[0]
	default:
		out := words[0]
		for _, w := range words[1 : n-1] {
			out += ", " + w
		}
		return out + " and " + words[n-1]
	}
}
