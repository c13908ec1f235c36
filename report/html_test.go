package report_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

var (
	tags = regexp.MustCompile(`<[^>]*>?`)
	// ourTags are the tags that a page may have: none of them has text of a document in it but links to
	// the repository.
	ourTags = regexp.MustCompile(`^<(/?(a|article|body|code|details|div|dd|dl|dt|footer|h[1-4]|head|header|html|kbd|label|li|main|output|p|script|section|span|style|summary|title|ul)` +
		`|!DOCTYPE html|html lang="en"|meta [^>]*` +
		`|(article|code|div|p|span|ul|dd|h2|section|main|details|li)( class="[a-z -]+"| id="[a-z]+(-\d+)?"| aria-labelledby="[a-z]+"| tabindex="-1"| data-find| hidden| open)*` +
		`|a( class="(place|skip)")? href="(#main|#change-\d+|https://github\.com/evil-genius/cupcakes/(blob|compare)/[0-9a-zA-Z.%/_~-]+(#L\d+)?)"` +
		`|input id="find" type="search" placeholder="[a-z, ]+" autocomplete="off"|output id="found")>$`)
	hashes  = regexp.MustCompile(`'sha256-[^']*'`)
	inlined = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`)
)

// Nothing that a manifest says becomes a tag, an attribute or an address of a page, and no character of it is hidden.
func TestHostileHTML(t *testing.T) {
	for name, doc := range plans() {
		page := planAs(t, "html", hostilePlan(doc, hostile), linked())
		text := inlined.ReplaceAllString(page, "")
		for _, tag := range tags.FindAllString(text, -1) {
			if !ourTags.MatchString(tag) {
				t.Errorf("%s: a tag %s", name, tag)
			}
		}
		for _, r := range strings.ReplaceAll(text, "\n", "") {
			if outline.Hidden(r) {
				t.Errorf("%s: a hidden character %U", name, r)
			}
		}
	}
}

// A page has a bounded number of fields, and says how many it leaves out.
func TestFieldsOfHTML(t *testing.T) {
	doc := empty()
	doc.Environments = []plan.Environment{{Changes: []plan.Change{{Kind: plan.FieldChange, Targets: []plan.Target{{}}, Fields: make([]plan.Field, 60_000)}, {Kind: plan.FieldChange, Targets: []plan.Target{{}}, Fields: make([]plan.Field, 7)}}}}
	page := planAs(t, "html", doc, outline.Style{})
	if n := strings.Count(page, `class="setting"`); n != 50_000 {
		t.Errorf("the page has %d fields", n)
	}
	total := 0
	for _, m := range regexp.MustCompile(`>(\d+) more fields are not shown; -o json has all\.<`).FindAllStringSubmatch(page, -1) {
		n, _ := strconv.Atoi(m[1])
		total += n
	}
	if total != 10_007 {
		t.Errorf("%d fields are said to be left out", total)
	}
}

// browsers are the names under which a headless browser may be installed.
var browsers = []string{"chromium", "chromium-browser", "google-chrome"}

// In a browser, a page can be searched by its address: what does not match is hidden, and the script and the
// style that its policy admits are its own.
func TestHTMLInBrowser(t *testing.T) {
	browser := ""
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		if os.Getenv("GWPLAN_BROWSER") == "required" {
			t.Fatalf("none of %q is installed", browsers)
		}
		t.Logf("NOT RUN: none of %q is installed", browsers)
		return
	}
	file := filepath.Join(t.TempDir(), "plan.html")
	if err := os.WriteFile(file, []byte(planAs(t, "html", parable(), linked())), 0o600); err != nil {
		t.Fatal(err)
	}
	visible := func(search string) []string {
		cmd := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file+search)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return regexp.MustCompile(`<li data-find="">`).FindAllString(string(out), -1)
	}
	all, some, none := len(visible("")), len(visible("#find=icing")), len(visible("#find=nowhere"))
	if all <= some || some == 0 || none != 0 {
		t.Errorf("%d items are visible, %d with icing, %d with nowhere", all, some, none)
	}
}
