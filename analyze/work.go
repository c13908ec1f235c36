package analyze

// Work is what an analysis does, counted independently of the machine.
type Work struct {
	// Analysed is the number of environments that were analysed, Reused of those that are the same in
	// both revisions and were analysed once. Objects are those of the analysed ones.
	Analysed, Reused, Objects int
	// Recalled are the environments of which an earlier run had found out everything.
	Recalled int
	// States is the number of different lists of policies that are in force somewhere.
	States int
}

func (w *Work) add(more Work) {
	if w == nil {
		return
	}
	w.Analysed += more.Analysed
	w.Reused += more.Reused
	w.Objects += more.Objects
	w.Recalled += more.Recalled
	w.States += more.States
}
