package analyze

// claim is what a headline says: that nothing changes, perhaps with words after this, or something else.
type claim struct {
	calm bool
	text string
}

// claimOf is a claim that something changes, or none if there are no words.
func claimOf(words string) claim { return claim{text: words} }

// calm claims that nothing changes, and no more.
func calm() claim { return claim{calm: true} }

func (c claim) String() string {
	if c.calm {
		return "no effective change" + c.text
	}
	return c.text
}

// and returns the claim with more words after it. It stays what it is.
func (c claim) and(more string) claim {
	c.text += more
	return c
}

// notKnown claims that it is not known whether something changes.
func notKnown(why string) claim { return claimOf("effect not known: " + why) }
