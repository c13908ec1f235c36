package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

var gallery = flag.String("gallery", "", "take the pictures of docs/gallery.md into this folder")

// frame is a page that looks like a comment on GitHub: the widths, fonts and colours that matter for its layout.
const frame = `<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>
:root { color-scheme: light dark }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 800px; margin: 16px auto; padding: 0 16px; overflow-wrap: anywhere }
code { font: 85%% ui-monospace, monospace; background: light-dark(#818b981f, #656c7633); padding: .2em .4em; border-radius: 6px; white-space: break-spaces }
pre { background: light-dark(#f6f8fa, #151b23); padding: 12px; overflow: auto } pre code { background: none }
h3 { font-size: 1.25em } h4 { font-size: 1em } blockquote { margin: 0; padding: 0 1em; border-left: .25em solid #d1242f } a { color: light-dark(#0969da, #4493f8) }
</style></head><body>%s</body></html>`

// TestGallery takes pictures of the comment and the page for README's first example: light, dark and on a phone. The
// comment is rendered as GitHub renders Markdown. It does so only where a folder is given: make gallery.
func TestGallery(t *testing.T) {
	if *gallery == "" {
		return
	}
	work := t.TempDir()
	report := func(format string) []byte {
		command := exec.CommandContext(t.Context(), "go", "run", "./cmd/gwplan", "diff", "--base-dir", "testdata/cors/before", "--head-dir", "testdata/cors/after", "-o", format)
		command.Dir = filepath.Join("..", "..")
		out, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	var comment bytes.Buffer
	// A comment has <details>, which GitHub keeps.
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := markdown.Convert(report("markdown"), &comment); err != nil {
		t.Fatal(err)
	}
	// GitHub shows an alert as a title of its own.
	alerts := strings.NewReplacer("[!CAUTION]", "<b style='color:#d1242f'>Caution</b><br>", "[!WARNING]", "<b style='color:#9a6700'>Warning</b><br>")
	pages := map[string]string{"comment": fmt.Sprintf(frame, alerts.Replace(comment.String())), "page": string(report("html"))}
	for name, page := range pages {
		file := filepath.Join(work, name+".html")
		if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		for variant, flags := range map[string][]string{
			"light": {"--window-size=900,960"}, "dark": {"--window-size=900,960", "--blink-settings=preferredColorScheme=0"}, "phone": {"--window-size=500,1100"},
		} {
			args := append([]string{
				"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
				"--disable-sync", "--hide-scrollbars", "--user-data-dir=" + t.TempDir(), "--screenshot=" + filepath.Join(*gallery, name+"-"+variant+".png"),
			}, flags...)
			if out, err := exec.CommandContext(t.Context(), "chromium", append(args, "file://"+file)...).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", name, err, out)
			}
		}
	}
}
