package change

import "github.com/gwplan/gwplan/analyze/hierarchy"

// ports pairs ports of a Service by number where the name is another one: requests go to the number, and policies name the
// name.
func (p *pairs) ports() {
	for _, head := range p.graphs[1].Nodes {
		if head.Level != hierarchy.LevelPort || head.Owner == nil || p.head[head] != nil || p.graphs[0].Node(head.Target, head.Level) != nil {
			continue
		}
		owner := p.head[head.Owner]
		if owner == nil {
			owner = p.graphs[0].Node(head.Owner.Target, head.Owner.Level)
		}
		if owner == nil {
			continue
		}
		for _, base := range owner.Sections {
			if base.Level == hierarchy.LevelPort && p.base[base] == nil && sameNumber(base, head) && p.graphs[1].Node(base.Target, base.Level) == nil {
				p.join(base, head)
				break
			}
		}
	}
}

func sameNumber(b, a *hierarchy.Node) bool {
	was, is := b.Value.Get("port"), a.Value.Get("port")
	return was != nil && is != nil && was.Text == is.Text
}
