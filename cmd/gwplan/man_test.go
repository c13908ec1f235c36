package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The manual page names every variable that the commands read.
func TestManEnvironment(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var has []string
	for _, v := range environment {
		has = append(has, v.name)
	}
	reads := regexp.MustCompile("t\\.env\\(\"([A-Z_]+)\"\\)|env:\"([A-Z_]+)\"")
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range reads.FindAllStringSubmatch(string(text), -1) {
			if name := m[1] + m[2]; !slices.Contains(has, name) {
				t.Errorf("%s reads %s, which the manual page does not name", file, name)
			}
		}
	}
}
