// Package html writes a plan or a check as one HTML file that needs nothing else: no network, no other
// file. It shows what text shows and can be walked: the hierarchy leads to the changes of each target, and
// a search narrows everything down. Without its script the page shows all of it.
//
// Text of the document reaches the page through html/template and outline.Safe only, and the page's policy
// (Content-Security-Policy) admits no script and no style but its own.
package html

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

var (
	//go:embed style.css
	style string
	//go:embed script.js
	script string
	//go:embed page.tmpl
	body string
)

// Plan writes a plan.
func Plan(w io.Writer, doc *plan.Plan, style outline.Style) error {
	return write(w, planPage(doc, style))
}

// Check writes a check.
func Check(w io.Writer, doc *plan.Check, style outline.Style) error {
	return write(w, checkPage(doc, style))
}

func write(w io.Writer, p *page) error {
	t, err := template.New("page").Parse(body)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, head(p.Title)); err != nil {
		return err
	}
	if err := t.Execute(w, p); err != nil {
		return err
	}
	_, err = io.WriteString(w, "<script>"+script+"</script>\n</body>\n</html>\n")
	return err
}

// head is the page up to its body. The style and the script stand outside the template, so that they are
// the bytes that the policy names.
func head(title string) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ` + hash(style) + `; script-src ` + hash(script) +
		`; base-uri 'none'; form-action 'none'">` + "\n" +
		`<meta name="viewport" content="width=device-width, initial-scale=1">` + "\n" +
		`<meta name="color-scheme" content="light dark">` + "\n<title>")
	b.WriteString(template.HTMLEscapeString(title))
	b.WriteString("</title>\n<style>" + style + "</style>\n</head>\n<body>\n")
	return b.String()
}

// hash is the source expression of an inline style or script.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
