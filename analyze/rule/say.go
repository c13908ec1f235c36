package rule

import "fmt"

// say formats a sentence as fmt.Sprintf does. It names objects as people do: "HTTPRoute shop/cart", not
// "HTTPRoute/shop/cart", which is what a user passes on the command line.
func say(format string, args ...any) string {
	for i, arg := range args {
		if object, ok := arg.(interface{ Spoken() string }); ok {
			args[i] = object.Spoken()
		}
	}
	return fmt.Sprintf(format, args...)
}
