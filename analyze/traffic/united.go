package traffic

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/answer"
)

// member is one set of requests of a class: those of a match at a host, without the parts that other rules answer.
type member struct {
	words, host string
	match       *answer.Match
	except      []*answer.Match
}

func newMember(passage *answer.Passage, words string) member {
	m := member{words: words, host: passage.Request.Host, match: passage.Request.Match}
	if passage.Except == nil {
		return m
	}
	for _, e := range passage.Except() {
		m.leaveOut(e)
	}
	return m
}

// leaveOut adds an exception, once.
func (m *member) leaveOut(e *answer.Match) {
	if text := e.String(); !slices.ContainsFunc(m.except, func(other *answer.Match) bool { return other.String() == text }) {
		m.except = append(m.except, e)
	}
}

// String describes the requests: "shop.example/* except /cart/*".
func (m *member) String() string { return answer.LeavingOut(m.words, m.except) }

// united joins sets of a class with those that they leave out, where the class has these, too: what two rules answer is the
// requests of the wider match then.
func united(list []member) []member {
	for i := 0; i < len(list); i++ {
		for e := 0; e < len(list[i].except); {
			inner := list[i].except[e]
			at := slices.IndexFunc(list, func(m member) bool {
				return m.host == list[i].host && m.match.String() == inner.String() && list[i].match.Covers(inner)
			})
			if at < 0 || at == i {
				e++
				continue
			}
			rest := list[at].except
			list[i].except = slices.Delete(list[i].except, e, e+1)
			for _, other := range rest {
				list[i].leaveOut(other)
			}
			list = slices.Delete(list, at, at+1)
			if at < i {
				i--
			}
			e = 0
		}
	}
	return list
}
