package source

import (
	"fmt"

	"github.com/gwplan/gwplan/loader"
)

// repetitions is how many times as long as it is stored a content is with no more than the repetitions that manifests have:
// packs of real trees are a fourth to a twelfth of their contents. Some kilobytes can hold gigabytes of one character, or of
// copies of another content.
const repetitions = 32

// share judges what contents may be read, by their sizes alone, before one is kept. Each id is judged once.
type share struct {
	limits Limits
	judged map[string]*loader.Problem
	// weights are the trees (one bit each) with a manifest of this id. total is the number of bytes read for each tree.
	weights map[string]uint8
	total   [2]int64
	// repeated is what contents have beyond repetitions times what is stored of them.
	repeated int64
}

func newShare(limits Limits) *share {
	return &share{limits: limits, judged: map[string]*loader.Problem{}, weights: map[string]uint8{}}
}

// weigh records which ids count against TotalSize of a tree.
func (s *share) weigh(entries []Entry, number int) {
	for _, e := range entries {
		if isManifest(e.Path) {
			s.weights[e.ID] |= 1 << number
		}
	}
}

// judge returns why a content of a size is not read, or nil.
func (s *share) judge(id string, size, stored int64) *loader.Problem {
	if p, known := s.judged[id]; known {
		return p
	}
	p := s.beyond(id, size, stored)
	s.judged[id] = p
	return p
}

func (s *share) beyond(id string, size, stored int64) *loader.Problem {
	repeated := max(size-repetitions*stored, 0)
	if repeated > s.limits.Repeated-s.repeated {
		if size > s.limits.FileSize {
			return sizeProblem(size, s.limits.FileSize, false)
		}
		return notRead(fmt.Sprintf("its %d bytes are stored in %d, and the run reads at most %d MiB of files that repeat themselves so", size, stored, s.limits.Repeated>>20),
			"raise --max-memory if the input is meant to be so large")
	}
	s.repeated += repeated
	total := s.total
	for i := range total {
		if s.weights[id]&(1<<i) == 0 || size > s.limits.FileSize {
			continue
		}
		if total[i] += size; total[i] > s.limits.TotalSize {
			return notRead(fmt.Sprintf("with it the YAML and JSON files of one tree have more than %d bytes", s.limits.TotalSize), readLess)
		}
	}
	s.total = total
	return nil
}

// notRead is the problem that a file is left out because the run would read too much.
func notRead(why, hint string) *loader.Problem {
	const part = "the file is not read"
	return &loader.Problem{
		Severity: loader.Error, Code: loader.LimitRun, Part: part, Message: part + ": " + why, Hint: hint,
	}
}
