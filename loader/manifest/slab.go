package manifest

import "github.com/gwplan/gwplan/loader"

// The values of a document are allocated in three slabs, sized by the document's text. This needs
// three allocations instead of three per map. Values that aliases and merge keys add are allocated
// separately.

const moreValues = 64

func (w *walker) put(v loader.Value) *loader.Value {
	if len(w.values) == cap(w.values) {
		w.values = make([]loader.Value, 0, moreValues)
	}
	w.values = append(w.values, v)
	return &w.values[len(w.values)-1]
}

func (w *walker) cutFields(n int) []loader.Field {
	from := len(w.fields)
	switch {
	case n == 0:
		return nil
	case cap(w.fields)-from < n:
		return make([]loader.Field, 0, n)
	}
	w.fields = w.fields[:from+n]
	// The capacity ends here, so that appending to a longer map copies it and does not overwrite
	// the next map.
	return w.fields[from : from : from+n]
}

func (w *walker) cutItems(n int) []*loader.Value {
	from := len(w.items)
	switch {
	case n == 0:
		return nil
	case cap(w.items)-from < n:
		return make([]*loader.Value, 0, n)
	}
	w.items = w.items[:from+n]
	return w.items[from : from : from+n]
}

// keys detects duplicate keys. It has no pointers into itself, so that it needs no allocation for a small map.
type keys struct {
	// The first n entries are searched one by one; many replaces them for larger maps.
	few  [fewKeys]entry
	n    int
	many map[entry]int
}

const fewKeys = 12

type entry struct {
	name  string
	merge bool
	line  int
}

// add returns false for a duplicate key, with the line of the first one.
func (k *keys) add(name string, merge bool, line int) (first int, ok bool) {
	if k.many != nil {
		key := entry{name: name, merge: merge}
		if first, ok := k.many[key]; ok {
			return first, false
		}
		k.many[key] = line
		return 0, true
	}
	for i := range k.n {
		if k.few[i].name == name && k.few[i].merge == merge {
			return k.few[i].line, false
		}
	}
	k.few[k.n] = entry{name, merge, line}
	if k.n++; k.n == fewKeys {
		k.many = make(map[entry]int, 2*fewKeys)
		for _, e := range k.few {
			k.many[entry{name: e.name, merge: e.merge}] = e.line
		}
	}
	return 0, true
}
