package merge

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Numbered reports whether the keys of items end with their places in lists, as those of several policies do that take
// effect side by side.
func Numbered(list []Entry) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(e Entry) bool {
		_, err := strconv.Atoi(e.Key[strings.LastIndexByte(e.Key, '/')+1:])
		_, noRange := netip.ParsePrefix(e.Key)
		return err != nil || noRange == nil
	})
}

// maxPaired limits the work on long lists: longer ones are paired by key only.
const maxPaired = 1 << 16

// Alongside gives list items the keys of equal items in before. It gives the other items the
// remaining keys.
func Alongside(before, after []Entry) []Entry {
	if len(before)*len(after) > maxPaired {
		return after
	}
	out := slices.Clone(after)
	taken, matched := make([]bool, len(before)), make([]bool, len(after))
	for i := range out {
		for j, was := range before {
			if !taken[j] && Equal(was.Tree, out[i].Tree) {
				out[i].Key, taken[j], matched[i] = was.Key, true, true
				break
			}
		}
	}
	next := 0
	for i := range out {
		if matched[i] {
			continue
		}
		for next < len(before) && taken[next] {
			next++
		}
		switch {
		case next < len(before):
			out[i].Key = before[next].Key
			next++
		case slices.ContainsFunc(before, func(e Entry) bool { return e.Key == out[i].Key }):
			out[i].Key = free(before, out[i].Key) // another item had its position
		}
	}
	return out
}

// free returns the key with the next number that no item has.
func free(taken []Entry, key string) string {
	at := strings.LastIndexByte(key, '/') + 1
	n, err := strconv.Atoi(key[at:])
	if err != nil {
		return "+" + key
	}
	return key[:at] + strconv.Itoa(max(n, len(taken)))
}
