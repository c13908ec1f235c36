package main

import (
	"errors"
	"fmt"

	"github.com/gwplan/gwplan/report/outline"
)

// mostParts bounds the parts of a report: the Action tells its comments apart by one digit.
const mostParts = 9

// part is the value of --part.
type part outline.Part

// UnmarshalText reads N/OF, such as 2/5.
func (p *part) UnmarshalText(text []byte) error {
	var rest string
	if n, _ := fmt.Sscanf(string(text), "%d/%d%s", &p.Number, &p.Of, &rest); n != 2 || p.Number < 1 || p.Of < p.Number || p.Of > mostParts {
		return errors.New("want N/OF with 1 <= N <= OF <= 9, such as 2/5")
	}
	return nil
}
