package implementation

// Matches is what a controller demands of the matches of a rule.
type Matches struct {
	// Perl means that regular expressions may have what RE2 lacks.
	Perl bool
	// PathWithout are the characters that no path may have, nor may it have blanks or begin otherwise than with a slash; empty
	// for any path.
	PathWithout string
	// Reserved is the beginning that no path may have, or empty.
	Reserved string
	// Refused are methods of HTTP that no match may have.
	Refused []string
	// WholeMethods means that a match for a method of gRPC names both the service and the method, and neither by an expression.
	WholeMethods bool
	// Filled means that the value of a condition for a header or a query parameter has more than blanks.
	Filled bool
}
