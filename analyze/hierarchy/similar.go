package hierarchy

import "github.com/gwplan/gwplan/loader"

// Similar is the name of an object of the same kind and namespace that is
// written almost alike, or "": a reference that is off by a letter or two is a
// mistake and not an object that lives elsewhere.
func (g *Graph) Similar(id loader.ID) string {
	best, closest := "", maxTypo(id.Name)+1
	for other := range g.objects {
		if other.Group != id.Group || other.Kind != id.Kind || other.Namespace != id.Namespace {
			continue
		}
		if d := distance(id.Name, other.Name); d < closest || d == closest && other.Name < best {
			best, closest = other.Name, d
		}
	}
	if closest > maxTypo(id.Name) {
		return ""
	}
	return best
}

// maxTypo is how many letters may differ in a name of some length.
func maxTypo(name string) int {
	if len(name) < 6 {
		return 1
	}
	return 2
}

// distance is the Levenshtein distance of two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
