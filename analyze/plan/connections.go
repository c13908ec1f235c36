package plan

// ConnectionChange is a set of connections that network policies newly allow or deny: from each of From
// to each of To, on each of Ports.
type ConnectionChange struct {
	Class ConnectionClass `json:"class"`
	// Sentence says what changes: "everything in namespace web can now connect to Deployment shop/cart".
	Sentence string `json:"sentence"`
	// From and To are the ends in words, Targets are the workloads among them whose policies decide.
	From    []string `json:"from"`
	To      []string `json:"to"`
	Targets []string `json:"targets"`
	Ports   []string `json:"ports"`
	// Except are ends that keep some ports: "Deployment web/front on 8080/TCP".
	Except []string `json:"except,omitempty"`
	// Count is the number of pairs of workloads, presumed pods, networks and names.
	Count int `json:"count"`
	// Certain is false if what manifests do not tell may make both revisions alike.
	Certain bool    `json:"certain"`
	Causes  []Cause `json:"causes"`
}

// GrantsAccess reports whether connections are newly allowed, or perhaps are.
func (c *ConnectionChange) GrantsAccess() bool { return c.Class == ConnectionsOpened }

// ConnectionClass is what becomes of connections.
type ConnectionClass string

// The classes of connections.
const (
	ConnectionsOpened ConnectionClass = "opened"
	ConnectionsCut    ConnectionClass = "cut"
)

// Rank orders classes, worst first.
func (c ConnectionClass) Rank() int {
	if c == ConnectionsOpened {
		return 0
	}
	return 1
}
