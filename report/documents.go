package report

import (
	"io"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/annotation"
	"github.com/gwplan/gwplan/report/codequality"
	"github.com/gwplan/gwplan/report/data"
	"github.com/gwplan/gwplan/report/html"
	"github.com/gwplan/gwplan/report/junit"
	"github.com/gwplan/gwplan/report/markdown"
	"github.com/gwplan/gwplan/report/outline"
	"github.com/gwplan/gwplan/report/sarif"
	"github.com/gwplan/gwplan/report/text"
)

// Plan is what gwplan diff prints.
var Plan = Document[plan.Plan]{"plan", []Writer[plan.Plan]{{"text", nearby(shortPlan(text.Plan))}, {"markdown", shortPlan(markdown.Plan)}, {"sarif", shortPlan(sarif.Plan)}, {"github", shortPlan(annotation.Plan)}, {"gitlab", shortPlan(codequality.Plan)}, {"html", shortPlan(html.Plan)}, {"junit", shortPlan(junit.Plan)}, {"json", data.JSON[plan.Plan]}}}

// Check is what gwplan check prints.
var Check = Document[plan.Check]{"check", []Writer[plan.Check]{{"text", nearby(shortCheck(text.Check))}, {"markdown", shortCheck(markdown.Check)}, {"sarif", shortCheck(sarif.Check)}, {"github", shortCheck(annotation.Check)}, {"gitlab", shortCheck(codequality.Check)}, {"html", shortCheck(html.Check)}, {"junit", shortCheck(junit.Check)}, {"json", data.JSON[plan.Check]}}}

// Effective is what gwplan effective prints.
var Effective = Document[plan.EffectiveList]{"effective", []Writer[plan.EffectiveList]{{"text", nearby(shortened(text.Effective))}, {"json", data.JSON[plan.EffectiveList]}, {"yaml", data.EffectiveYAML}}}

// Policies is what gwplan policies prints.
var Policies = Document[plan.PolicyList]{"policies", []Writer[plan.PolicyList]{{"text", nearby(shortened(text.Policies))}, {"wide", nearby(shortened(text.WidePolicies))}, {"json", data.JSON[plan.PolicyList]}}}

// Status is what gwplan status prints.
var Status = Document[plan.StatusList]{"status", []Writer[plan.StatusList]{{"text", nearby(shortened(text.Status))}, {"json", data.JSON[plan.StatusList]}, {"yaml", data.StatusYAML}}}

// Trace is what gwplan trace prints.
var Trace = Document[plan.Trace]{"trace", []Writer[plan.Trace]{{"text", nearby(shortened(text.Trace))}, {"markdown", markdown.Trace}, {"json", data.JSON[plan.Trace]}}}

// Connection is what gwplan trace --to prints.
var Connection = Document[plan.ConnectionTrace]{"connection", []Writer[plan.ConnectionTrace]{{"text", nearby(shortened(text.ConnectionTrace))}, {"markdown", markdown.ConnectionTrace}, {"json", data.JSON[plan.ConnectionTrace]}}}

// Routes is what gwplan routes prints.
var Routes = Document[plan.RouteTable]{"routes", []Writer[plan.RouteTable]{{"text", nearby(shortened(text.Routes))}, {"json", data.JSON[plan.RouteTable]}}}

// Tree is what gwplan tree prints.
var Tree = Document[plan.Tree]{"tree", []Writer[plan.Tree]{{"text", nearby(shortened(text.Tree))}, {"json", data.JSON[plan.Tree]}}}

// Environments is what gwplan config show prints.
var Environments = Document[plan.EnvironmentList]{"environments", []Writer[plan.EnvironmentList]{{"text", nearby(shortened(text.Environments))}, {"json", data.JSON[plan.EnvironmentList]}}}

// shortened is a writer of a listing that has at most as much as style allows of it.
func shortened[D any](write func(io.Writer, *D, outline.Style) error) func(io.Writer, *D, outline.Style) error {
	return func(w io.Writer, doc *D, style outline.Style) error {
		return write(w, data.Shortened(doc, style.Largest), style)
	}
}
