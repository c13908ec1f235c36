package rule

import "github.com/gwplan/gwplan/analyze/plan"

var backendNotPermitted = &Rule{
	ID:       "backend-not-permitted",
	Title:    "A route refers to a backend in another namespace without a grant",
	Severity: plan.Error,
	Why: "A cross-namespace backend needs a ReferenceGrant in the backend's namespace (Gateway API, ResolvedRefs=False, " +
		"RefNotPermitted). Its share of requests is answered with an error 500.",
	Fix:   "Add a ReferenceGrant in the namespace of the backend, or a Service in the route's namespace.",
	Check: func(s *Environment, report Report) { refusedBackends(s, "RefNotPermitted", report) },
}
