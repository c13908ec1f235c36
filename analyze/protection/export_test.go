package protection

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
)

// JudgedBy is what one row makes of an edit.
func JudgedBy(row catalogue.Protection, before, after *merge.Tree) Shift {
	var s Shift
	s.judge(row, before, after, &catalogue.Kind{})
	return s
}
