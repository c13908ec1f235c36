package config_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gwplan/gwplan/loader/config"
)

// target parses an ignore with a target.
func target(pattern string) error {
	_, err := config.Parse(file, []byte("ignore: [{rule: a, reason: b, target: "+strconv.Quote(pattern)+"}]"))
	return err
}

func TestPatterns(t *testing.T) {
	six := strings.Repeat("{a,b}", 6)
	for name, tt := range map[string]struct {
		pattern string
		good    bool
	}{
		"plain":                  {"HTTPRoute/shop/*", true},
		"64 by braces":           {six, true},
		"65 by one brace":        {"{" + strings.Repeat("a,", 64) + "a}", false},
		"128 by braces":          {six + "{a,b}", false},
		"nested, sums":           {"{a,{b,{c,{d,{e,{f,g}}}}}}", true},
		"nested, products":       {"{" + six + "," + six + "}", false},
		"commas in a class":      {"{[,,,,]" + strings.Repeat("[,a]", 60) + "}", true},
		"commas without a brace": {strings.Repeat(",", 100), true},
		"escaped commas":         {"{" + strings.Repeat(`\,`, 100) + "}", true},
		"escaped braces":         {strings.Repeat(`\{a,b\}`, 50), true},
		"braces in a class":      {strings.Repeat(`[{]`, 50), true},
		"stars":                  {strings.Repeat("**/", 341), true},
		"empty braces":           {strings.Repeat("{}", 500), true},
		"overflow":               {strings.Repeat("{a,b,c,d}", 100), false},
		"deep":                   {strings.Repeat("{", 500) + strings.Repeat("}", 500), true},
	} {
		err := target(tt.pattern)
		if (err == nil) != tt.good {
			t.Errorf("%s: %v", name, err)
		}
		if !tt.good && !strings.Contains(fmt.Sprint(err), "expands to more than 64 patterns; use fewer braces") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is taken can be matched with: each of these would go on for days if
// costs multiplied.
func TestPatternsAtTheCap(t *testing.T) {
	name := strings.Repeat("a", 253) + "/" + strings.Repeat("a/", 30) + strings.Repeat("a", 253)
	for _, pattern := range []string{
		strings.Repeat("**/", 340) + "b",
		strings.Repeat("*a", 511) + "b",
		strings.Repeat("**/*a/", 170) + "b",
		strings.Repeat("*{a,a}", 6) + strings.Repeat("*a", 490) + "b",
		"**/" + strings.Repeat("{a*,*a}", 6) + strings.Repeat("?*", 480) + "b",
		strings.Repeat("{", 500) + "a" + strings.Repeat("}", 500) + "b",
	} {
		if err := target(pattern); err != nil {
			t.Error(err)
			continue
		}
		if ok, err := doublestar.Match(pattern, name); ok || err != nil {
			t.Errorf("%.40s: %v, %v", pattern, ok, err)
		}
	}
}
