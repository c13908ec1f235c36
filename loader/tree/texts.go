package tree

import (
	"sync"

	"github.com/gwplan/gwplan/loader/manifest"
)

// Texts decodes texts that are YAML themselves, such as patches in kustomizations, once each.
type Texts struct {
	limits manifest.Limits
	mu     sync.Mutex
	parsed map[string]parsed
}

// Parse returns the documents of a text, or why it cannot be read.
func (t *Texts) Parse(text string) parsed {
	t.mu.Lock()
	defer t.mu.Unlock()
	p, ok := t.parsed[text]
	if !ok {
		p.Docs, p.Problems = manifest.Parse([]byte(text), t.limits)
		restoreWords(p.Docs, []byte(text))
		t.parsed[text] = p
	}
	return p
}
