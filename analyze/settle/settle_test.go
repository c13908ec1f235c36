package settle_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/settle"
)

// TestSettlings: each word says what a kind comes to, by one function, and tells targets
// apart; a word that nobody knows is none.
func TestSettlings(t *testing.T) {
	if len(settle.Words()) == 0 {
		t.Fatal("there are no words")
	}
	for _, word := range settle.Words() {
		s := settle.By(word)
		if s.Says == "" {
			t.Errorf("%s says nothing", word)
		}
		if (s.Spec == nil) == (s.Fold == nil) {
			t.Errorf("%s has a function of each or of no sort", word)
		}
	}
	if s := settle.By("none"); s.Spec != nil || s.Fold != nil || s.Says != "" {
		t.Errorf("a word that nobody knows settles: %+v", s)
	}
}
