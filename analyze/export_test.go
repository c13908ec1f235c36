package analyze

// Separately returns options with which both revisions are analysed even if they are the same.
func Separately(o Options) Options {
	o.separately = true
	return o
}
