package catalogue

// Naming is a field whose values name entries of the same policy.
type Naming struct {
	// In is the dotted path of what holds the field at any depth, with * for any key or item.
	In string `json:"in"`
	// Field is the name of the field.
	Field string `json:"field"`
	// Of is the path of the names of the entries. If it ends with *, they are the keys there.
	Of string `json:"of"`
	// Then says what happens where the entry is missing, as a clause.
	Then string `json:"then"`
	// Opens is true if requests may then get in that were refused.
	Opens bool `json:"opens,omitempty"`
}
