package loader

import "strings"

// KindOf returns the kind of an object's name as all output writes it, without its group: HTTPRoute of HTTPRoute/shop/cart.
func KindOf(node string) string {
	kind, _, _ := strings.Cut(node, "/")
	kind, _, _ = strings.Cut(kind, ".")
	return kind
}

// IsRoute reports whether a kind is one of routes, by its name: the routes of controllers, too, of which nothing else is known.
func IsRoute(kind string) bool { return strings.HasSuffix(kind, "Route") }
