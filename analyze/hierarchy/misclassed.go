package hierarchy

// Misclassed returns the class that a Gateway names by mistake, as it seems, with the name that is probably meant: it is not in
// the input, and one of almost its name is. No controller takes the Gateway then.
func (g *Graph) Misclassed(gateway *Node) (class *Node, meant string) {
	for _, e := range gateway.Up {
		class := e.Parent
		if class.Level != LevelGatewayClass || class.Object != nil || g.External(class.Target.ID) || g.Controller(gateway) != "" {
			continue
		}
		if meant := g.Similar(class.Target.ID); meant != "" {
			return class, meant
		}
	}
	return nil, ""
}
