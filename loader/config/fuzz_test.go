package config_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/gwplan/gwplan/loader/config"
)

// seeds are made once: libFuzzer calls the whole of FuzzParse for each input.
var seeds = sync.OnceValue(func() []string {
	var texts []string
	for _, m := range mistakes() {
		texts = append(texts, m.text)
	}
	for _, text := range good() {
		texts = append(texts, text)
	}
	return texts
})

// FuzzParse: no panic; an answer or mistakes, never both; each mistake has a
// place in the file and is one line of printable text.
func FuzzParse(f *testing.F) {
	for _, text := range seeds() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 16<<10 {
			return
		}
		c, err := config.Parse(file, data)
		if err == nil {
			wellFormed(t, c)
			return
		}
		var all config.Errors
		if c != nil || !errors.As(err, &all) || len(all) == 0 {
			t.Fatalf("%v, %T %v", c, err, err)
		}
		last := strings.Count(string(data), "\n") + 1
		for i, e := range all {
			p := e.Position
			if p.File != file || p.Line > last || e.Message == "" || p.Line < 1 && (i < len(all)-1 || p.Line < 0) {
				t.Errorf("%+v", e)
			}
			if strings.ContainsAny(e.Error(), "\n\x1b") {
				t.Errorf("%q", e.Error())
			}
		}
	})
}

func wellFormed(t *testing.T, c *config.Config) {
	t.Helper()
	for id := range c.Ages {
		again, err := config.ParseNode(id.String())
		if err == nil && again != id {
			t.Errorf("%v is read back as %v", id, again)
		}
	}
	for _, e := range c.Environments {
		if e.Name == "" || len(e.Paths) == 0 {
			t.Errorf("%+v", e)
		}
	}
	for _, i := range c.Ignore {
		if i.Rule == "" || i.Reason == "" || i.Position.Line < 1 {
			t.Errorf("%+v", i)
		}
	}
	for class, controller := range c.Controllers {
		domain, path, _ := strings.Cut(controller, "/")
		if class == "" || domain == "" || path == "" || len(class) > 253 || len(controller) > 253 {
			t.Errorf("%q: %q", class, controller)
		}
	}
	for rule, severity := range c.Rules {
		switch severity {
		case "error", "warning", "note", "off":
		default:
			t.Errorf("%s: %q", rule, severity)
		}
	}
	if _, err := config.Parse(file, config.Starter(c.Environments)); err != nil {
		t.Errorf("the starter of %+v: %v", c.Environments, err)
	}
}
