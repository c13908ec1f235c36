package gwplan_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// license is one under which code may be part of the binary.
type license struct {
	name string
	// phrases all stand in its text, in small letters with one space between words and nothing
	// else. The first one stands there once.
	phrases []string
	// not is a phrase that makes it another license.
	not string
	// words is how long its text is.
	words int
}

// allowed are the licenses that let the binary be passed on under the Apache License 2.0 with
// nothing more than their notices.
func allowed() []license {
	const (
		granted       = "permission is hereby granted free of charge to any person obtaining a copy of this software and associated documentation files"
		redistributed = "redistribution and use in source and binary forms with or without modification are permitted provided that the following conditions are met"
		endorsed      = "used to endorse or promote products derived from this software without specific prior written permission"
	)
	return []license{
		{name: "Apache-2.0", phrases: []string{"apache license version 2 0 january 2004", "grant of patent license", "end of terms and conditions"}, words: 1800},
		// A file that names the license instead of holding it.
		{
			name: "Apache-2.0 by reference", phrases: []string{"licensed under the apache license version 2 0", "you may not use this file except in compliance with the license"},
			not: "end of terms and conditions", words: 100,
		},
		{name: "MIT", phrases: []string{granted, "the above copyright notice and this permission notice shall be included in all copies"}, words: 180},
		{name: "BSD-2-Clause", phrases: []string{redistributed}, not: endorsed, words: 200},
		{name: "BSD-3-Clause", phrases: []string{redistributed, endorsed}, words: 250},
		{name: "ISC", phrases: []string{"permission to use copy modify and or distribute this software for any purpose with or without fee is hereby granted"}, words: 140},
		{name: "MPL-2.0", phrases: []string{"mozilla public license version 2 0", "exhibit a source code form license notice"}, words: 2700},
	}
}

// slack is how many words a file may have beside the texts of its licenses, for names, years
// and which parts they are for. More would hide a condition that nobody has read.
const slack = 150

// refused are words of conditions that are added to licenses of the list.
func refused() []string {
	return []string{
		"commons clause", "all advertising materials mentioning features", "business source license", "server side public license",
		"non commercial", "noncommercial", "gnu affero general public license", "gnu general public license version",
	}
}

var word = regexp.MustCompile(`[a-z0-9]+`)

// licensesOf returns the licenses whose texts a file consists of, and what is wrong with it.
func licensesOf(text string) (names []string, wrong string) {
	words := word.FindAllString(strings.ToLower(text), -1)
	plain := strings.Join(words, " ")
	room := slack
	for _, l := range allowed() {
		missing := func(phrase string) bool { return !strings.Contains(plain, phrase) }
		if slices.ContainsFunc(l.phrases, missing) || l.not != "" && !missing(l.not) {
			continue
		}
		names = append(names, l.name)
		room += l.words * strings.Count(plain, l.phrases[0]) // once for each of several owners
	}
	for _, phrase := range refused() {
		// The MPL names those of GNU as licenses that its code may be passed on under, too.
		if gnu := strings.HasPrefix(phrase, "gnu "); gnu && slices.Contains(names, "MPL-2.0") {
			continue
		}
		if strings.Contains(plain, phrase) {
			return names, fmt.Sprintf("says %q", phrase)
		}
	}
	switch {
	case len(names) == 0:
		return nil, "holds no license of the list"
	case len(words) > room:
		return names, fmt.Sprintf("has %d words, and %q have at most %d: read the rest", len(words), names, room)
	}
	return names, ""
}

// isLicense tells a license by the name of its file.
var isLicense = regexp.MustCompile(`(?i)^(.*[-_.])?(licen[sc]e|copying|unlicense)([-_.].*)?$`)

// foundLicenses returns the files with licenses in a folder and in those above it, up to a module's.
func foundLicenses(module, dir string) (files []string, err error) {
	for ; ; dir = filepath.Dir(dir) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if !entry.IsDir() && isLicense.MatchString(entry.Name()) && filepath.Ext(entry.Name()) != ".go" {
				files = append(files, filepath.Join(dir, entry.Name()))
			}
		}
		if dir == module || !strings.HasPrefix(dir, module) {
			return files, nil
		}
	}
}

// Everything in the binary, on each system that it is built for, is under a license of the list.
// Besides those of modules this reads the licenses of what modules have copied into a folder.
func TestLicenses(t *testing.T) {
	files := map[string]bool{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Dir}}\t{{$.Dir}}{{end}}", "./cmd/gwplan")
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		modules := map[string]bool{}
		for line := range strings.Lines(string(out)) {
			columns := strings.Split(strings.TrimSpace(line), "\t")
			if len(columns) != 3 {
				continue // of the standard library
			}
			found, err := foundLicenses(columns[1], columns[2])
			if err != nil {
				t.Fatal(err)
			}
			if len(found) == 0 {
				t.Errorf("%s has no license", columns[0])
			}
			modules[columns[0]] = true
			for _, file := range found {
				files[file] = true
			}
		}
		if len(modules) < 20 {
			t.Errorf("%s: only %d modules, which cannot be all", system, len(modules))
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, wrong := licensesOf(string(text)); wrong != "" {
			t.Errorf("%s %s", file, wrong)
		}
	}
}

// Texts of this repository and of licenses that are not on the list.
func TestLicensesNotices(t *testing.T) {
	apache, err := os.ReadFile("LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	const (
		mit = "Copyright (c) 2026 A\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\n" +
			"of this software and associated documentation files (the \"Software\"), to deal ...\n\nThe above copyright notice and this\n" +
			"permission notice shall be included in all copies or substantial portions of the Software.\n"
		bsd = "* Redistribution and use in source and binary forms, with or without modification, are permitted provided that " +
			"the following conditions are met: ..."
		promote = " Neither the name of A may be used to endorse or promote products derived from this software without specific prior written permission."
		isc     = "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, ..."
	)
	for _, tt := range []struct{ text, want, wrong string }{
		{string(apache), "[Apache-2.0]", ""},
		{mit, "[MIT]", ""},
		{bsd, "[BSD-2-Clause]", ""},
		{bsd + promote, "[BSD-3-Clause]", ""},
		{isc, "[ISC]", ""},
		{mit + bsd, "[MIT BSD-2-Clause]", ""},
		{"", "[]", "holds no license"},
		{"GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007", "[]", "gnu general public license version"},
		{"All rights reserved.", "[]", "holds no license"},
		{"\"Commons Clause\" License Condition v1.0\n" + string(apache), "[Apache-2.0]", "commons clause"},
		{bsd + " All advertising materials mentioning features or use of this software must ...", "[BSD-2-Clause]", "advertising"},
		{mit + strings.Repeat(" You owe a cupcake.", 100), "[MIT]", "read the rest"},
	} {
		names, wrong := licensesOf(tt.text)
		if got := fmt.Sprint(names); got != tt.want || (wrong == "") != (tt.wrong == "") || !strings.Contains(wrong, tt.wrong) {
			t.Errorf("%.60q: %s, %q; want %s, %q", tt.text, got, wrong, tt.want, tt.wrong)
		}
	}
	for name, want := range map[string]bool{
		"LICENSE": true, "LICENSE.txt": true, "licence.md": true, "COPYING": true, "LICENSE.libyaml": true, "APACHE-LICENSE-2.0": true,
		"NOTICE": false, "licenses_test.go": false, "README.md": false, "licensed": false,
	} {
		if isLicense.MatchString(name) != want {
			t.Errorf("%s is a license: %v, want %v", name, !want, want)
		}
	}
}
