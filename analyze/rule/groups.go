package rule

// groups holds values by key, and the keys in the order in which they came first.
type groups[K comparable, V any] struct {
	keys []K
	of   map[K][]V
}

func (g *groups[K, V]) add(key K, value V) {
	if g.of == nil {
		g.of = map[K][]V{}
	}
	if g.of[key] == nil {
		g.keys = append(g.keys, key)
	}
	g.of[key] = append(g.of[key], value)
}
