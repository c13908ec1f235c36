package argocd

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// alike replaces problems at one place that differ in nothing but the Application by one with their number: an ApplicationSet
// makes many Applications, and each of them has what is wrong with their template.
func alike(list []loader.Problem) []loader.Problem {
	type template struct {
		code, message string
		at            loader.Position
	}
	var out []loader.Problem
	first, more := map[template]int{}, map[int]int{}
	for _, p := range list {
		if p.Subject != "" {
			key := template{p.Code, strings.TrimPrefix(p.Message, p.Subject), p.Position}
			if at, known := first[key]; known {
				more[at]++
				if p.Subject < out[at].Subject {
					out[at] = p
				}
				continue
			}
			first[key] = len(out)
		}
		out = append(out, p)
	}
	for at, n := range more {
		p := &out[at]
		p.Message = fmt.Sprintf("%s, like %d more of its ApplicationSet,%s", p.Subject, n, strings.TrimPrefix(p.Message, p.Subject))
	}
	return out
}
