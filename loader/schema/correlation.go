package schema

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// correlation finds the items of an earlier list by their keys. Its zero value is empty.
type correlation struct {
	lists map[*loader.Value]map[string]*loader.Value
}

// item returns the item of an old list that an item replaces, or nil: only lists with keys tell.
func (c *correlation) item(n *node, item, old *loader.Value) *loader.Value {
	if n.checks == nil || len(n.checks.Keys) == 0 || len(old.ItemList()) == 0 {
		return nil
	}
	list, known := c.lists[old]
	if !known {
		list = make(map[string]*loader.Value, len(old.Items))
		for _, candidate := range old.Items {
			if id := identity(n.checks.Keys, candidate); list[id] == nil {
				list[id] = candidate
			}
		}
		if c.lists == nil {
			c.lists = map[*loader.Value]map[string]*loader.Value{}
		}
		c.lists[old] = list
	}
	return list[identity(n.checks.Keys, item)]
}

func identity(keys []string, item *loader.Value) string {
	var out strings.Builder
	for _, key := range keys {
		if v := item.Get(key); v != nil {
			out.WriteString(v.Text)
		}
		out.WriteByte(0)
	}
	return out.String()
}
