package loader

import "errors"

// Limit is the error that something exceeds a bound of gwplan. Helm, kustomize and the controllers have no such bound: what they
// make of it is unknown, where they would make nothing of a mistake.
type Limit string

// Error returns what exceeds which bound.
func (l Limit) Error() string { return string(l) }

// IsLimit reports whether a bound of gwplan is the reason for an error.
func IsLimit(err error) bool {
	_, ok := errors.AsType[Limit](err)
	return ok
}
