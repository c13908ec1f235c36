package data

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/internal/spelling"
)

// fewest is how many items of each list are written in any case: enough to see what it is about.
const fewest = 10

// Shortened returns a document that is written as JSON in about so many bytes at most: of those lists that make it larger, only the
// first items are left, and a note says for each how many there are. 0 is no limit. Lists in lists grow with the square of what a
// repository holds: each policy has each of the routes that it may select.
func Shortened[T any](doc *T, most int) *T {
	if most <= 0 {
		return doc
	}
	c := census{"": {}}
	total := c.count(reflect.ValueOf(doc), "", 0)
	if total <= most {
		return doc
	}
	cuts := c.cuts(total - most)
	out := cut(reflect.ValueOf(doc), "", cuts).Interface().(*T) //nolint:forcetypeassert // cut keeps types
	notes, _ := reflect.ValueOf(out).Elem().FieldByName("Notes").Addr().Interface().(*[]string)
	*notes = slices.Clone(*notes)
	for _, path := range slices.Sorted(maps.Keys(cuts)) {
		*notes = append(*notes, fmt.Sprintf("the report is shortened, as it would have about %d MiB: of the %s in %s, at most %d of each list are written; raise --max-memory to have all",
			(total+1<<20-1)>>20, spelling.Count(c[path].items, "item"), path, cuts[path]))
	}
	return out
}

// list is what a document holds at one path: how many items in lists of which lengths, and the bytes of those items without those of
// the lists in them.
type list struct {
	items, bytes int
	lengths      []int
}

// saves is how many bytes are saved if each list has at most so many items.
func (l *list) saves(most int) int {
	gone := 0
	for _, n := range l.lengths {
		gone += max(n-most, 0)
	}
	return int(float64(gone) / float64(max(l.items, 1)) * float64(l.bytes))
}

// census are the lists of a document by their paths, such as environments[].changes. That of "" has the bytes of all.
type census map[string]*list

// count adds the lists in a value, and returns its size in JSON.
func (c census) count(v reflect.Value, path string, level int) int {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return len("null")
		}
		v = v.Elem()
	}
	indent := 2 * (level + 1)
	size := 0
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			name, optional := named(v.Type().Field(i))
			if name == "-" || !v.Type().Field(i).IsExported() || optional && empty(v.Field(i)) {
				continue
			}
			size += indent + len(name) + len(`"": ,`+"\n") + c.count(v.Field(i), below(path, name), level+1)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			size += indent + len(key.String()) + len(`"": ,`+"\n") + c.count(v.MapIndex(key), below(path, "*"), level+1)
		}
	case reflect.Slice:
		inner := c[""].bytes
		for i := range v.Len() {
			size += indent + len(",\n") + c.count(v.Index(i), path+"[]", level+1)
		}
		l := c[path]
		if l == nil {
			l = &list{}
			c[path] = l
		}
		own := size - (c[""].bytes - inner)
		l.items, l.bytes, l.lengths = l.items+v.Len(), l.bytes+own, append(l.lengths, v.Len())
		c[""].bytes += own
	case reflect.String:
		return v.Len() + len(`""`)
	default:
		return len(strconv.Itoa(1 << 16))
	}
	return size + indent + len("{\n}")
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// cuts returns how many items to leave of which lists, so that so many bytes are saved: those that take the most are cut first.
func (c census) cuts(excess int) map[string]int {
	out := map[string]int{}
	paths := slices.SortedFunc(maps.Keys(c), func(a, b string) int { return cmp.Or(cmp.Compare(c[b].bytes, c[a].bytes), cmp.Compare(a, b)) })
	for _, path := range paths {
		if excess <= 0 || path == "" {
			continue
		}
		longest := slices.Max(c[path].lengths)
		// Fewer items save more: the most that still save enough.
		most := fewest
		for low, high := fewest, longest; low < high; {
			middle := (low + high + 1) / 2
			if c[path].saves(middle) >= excess {
				low, most = middle, middle
			} else {
				high = middle - 1
			}
		}
		if saved := c[path].saves(most); saved > 0 {
			out[path] = most
			excess -= saved
		}
	}
	return out
}

// cut copies a value with the lists that are shortened.
func cut(v reflect.Value, path string, cuts map[string]int) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(cut(v.Elem(), path, cuts))
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if name, _ := named(v.Type().Field(i)); name != "-" && v.Type().Field(i).IsExported() {
				out.Field(i).Set(cut(v.Field(i), below(path, name), cuts))
			}
		}
		return out
	case reflect.Slice:
		n := v.Len()
		if most, ok := cuts[path]; ok {
			n = min(n, most)
		}
		if n == 0 {
			return v
		}
		out := reflect.MakeSlice(v.Type(), n, n)
		for i := range n {
			out.Index(i).Set(cut(v.Index(i), path+"[]", cuts))
		}
		return out
	default:
		return v // maps and what is in them are whole: they are specs
	}
}
