package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/gwplan/gwplan/analyze/answer"
)

// maxRequests limits how many requests a file may hold.
const maxRequests = 10_000

// requestFile reads requests, one on a line as METHOD URL, each with its headers on indented lines below it.
type requestFile struct {
	// name is that of the file, for messages.
	name     string
	requests []*answer.Request
	// first is the line of the request whose headers are being read, at line number; empty before the first one.
	first   string
	number  int
	headers []string
}

// readRequests reads the requests of a file with this name.
func readRequests(name string, in io.Reader) ([]*answer.Request, error) {
	f := requestFile{name: name}
	if err := f.read(in); err != nil {
		return nil, err
	}
	return f.requests, nil
}

func (f *requestFile) read(in io.Reader) error {
	scanner := bufio.NewScanner(in)
	line := 0
	for scanner.Scan() {
		line++
		text := scanner.Text()
		trimmed := strings.TrimSpace(text)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case (text[0] == ' ' || text[0] == '\t') && f.first == "":
			return fmt.Errorf("%s:%d: %q is indented like a header, but no request precedes it", f.name, line, trimmed)
		case text[0] == ' ' || text[0] == '\t':
			f.headers = append(f.headers, trimmed)
		default:
			if err := f.end(); err != nil {
				return err
			}
			f.first, f.number = trimmed, line
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", f.name, line+1, err)
	}
	if err := f.end(); err != nil {
		return err
	}
	if len(f.requests) == 0 {
		return fmt.Errorf("%s has no requests; write one on a line, such as GET https://HOST/PATH", f.name)
	}
	return nil
}

// end adds the request whose headers have been read.
func (f *requestFile) end() error {
	if f.first == "" {
		return nil
	}
	method, url := "", f.first
	words := strings.Fields(f.first)
	if len(words) == 2 {
		method, url = words[0], words[1]
	}
	if len(words) > 2 || len(words) == 1 && !strings.ContainsAny(f.first, ".:/") {
		return fmt.Errorf("%s:%d: %q is not METHOD URL; write one request on a line, such as GET https://HOST/PATH", f.name, f.number, f.first)
	}
	r, err := answer.ParseRequest(url, method, f.headers)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", f.name, f.number, err)
	}
	if f.requests = append(f.requests, r); len(f.requests) > maxRequests {
		return fmt.Errorf("%s: more than %d requests", f.name, maxRequests)
	}
	f.first, f.headers = "", nil
	return nil
}
