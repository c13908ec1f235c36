package argocd

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// applicationNamed matches how a problem names the Application that has it.
var applicationNamed = regexp.MustCompile(`the Application "(?:[^"\\]|\\.)*"`)

// alike replaces problems at one place that differ in nothing but the Application by one with their number: an ApplicationSet
// makes many Applications, and each of them has what is wrong with their template.
func alike(list []loader.Problem) []loader.Problem {
	type template struct {
		code, before, after string
		at                  loader.Position
	}
	var out []loader.Problem
	first, more := map[template]int{}, map[int]int{}
	for _, p := range list {
		if name := applicationNamed.FindStringIndex(p.Message); name != nil {
			key := template{p.Code, p.Message[:name[0]], p.Message[name[1]:], p.Position}
			if at, known := first[key]; known {
				more[at]++
				out[at].Message = min(out[at].Message, p.Message)
				continue
			}
			first[key] = len(out)
		}
		out = append(out, p)
	}
	for at, n := range more {
		name := applicationNamed.FindString(out[at].Message)
		out[at].Message = strings.Replace(out[at].Message, name, fmt.Sprintf("%s, like %d more of its ApplicationSet,", name, n), 1)
	}
	return out
}
