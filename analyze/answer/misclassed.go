package answer

import (
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/internal/spelling"
)

// misclassed explains why it is not known whether requests that a Gateway answers in one revision only are answered in
// the other one: there the Gateway names a class that is not in the input, and the input has a class with a similar
// name.
func misclassed(c *comparison, p *Passage) []string {
	way, side := p.Before, effective.Head
	if p.Before == nil {
		way, side = p.After, effective.Base
	} else if p.After != nil {
		return nil
	}
	gateway := c.join.Of(1-side, way.Gateway()).Nodes[side]
	if gateway == nil {
		return nil
	}
	if class, meant := c.join.Runs[side].Graph.Misclassed(gateway); class != nil {
		return []string{"whether there is a " + class.Spoken() + ", which is not in the input" + spelling.Meant(meant)}
	}
	return nil
}
