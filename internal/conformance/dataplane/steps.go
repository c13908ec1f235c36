package dataplane

import (
	"log"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/internal/conformance/planner"
)

// stepsFor are the steps on the way to a backend.
func stepsFor(steps []planner.Step, backend string) []planner.Step {
	var out []planner.Step
	for _, step := range steps {
		if step.Backend == "" || step.Backend == backend {
			out = append(out, step)
		}
	}
	return out
}

func has(steps []planner.Step, action string) bool {
	for _, step := range steps {
		if step.Action == action {
			return true
		}
	}
	return false
}

// changeRequest takes the steps that happen to a request, in order.
func (c *carrier) changeRequest(r *http.Request, answer *planner.Answer, steps []planner.Step) {
	for _, step := range steps {
		switch step.Action {
		case "set-request-header":
			if strings.EqualFold(step.Name, "host") {
				r.Host = step.Value
			}
			r.Header.Set(step.Name, step.Value)
		case "add-request-header":
			add(r.Header, step)
		case "remove-request-header":
			r.Header.Del(step.Name)
		case "rewrite-host":
			r.Host = step.Value
		case "rewrite-path":
			r.URL.RawPath, r.URL.Path = "", step.Value
			if unescaped, err := url.PathUnescape(step.Value); err == nil {
				r.URL.RawPath, r.URL.Path = step.Value, unescaped
			}
		case "mirror":
			c.mirror(r, answer, step)
		}
	}
}

// changeResponse takes the steps that happen to the headers of an answer.
func changeResponse(header http.Header, steps []planner.Step) {
	for _, step := range steps {
		switch step.Action {
		case "set-response-header":
			header.Set(step.Name, step.Value)
		case "add-response-header":
			add(header, step)
		case "remove-response-header":
			header.Del(step.Name)
		}
	}
}

// add adds a value to those that a header has, in the same line.
func add(header http.Header, step planner.Step) {
	values := append(header.Values(step.Name), step.Value)
	header.Set(step.Name, strings.Join(values, ","))
}

// mirror sends a copy of a request, if it is one of those in the step's share. It waits for the answer, so that copies
// are in the logs of pods before the client goes on.
func (c *carrier) mirror(r *http.Request, answer *planner.Answer, step planner.Step) {
	if c.shares.next(answer.Rule+" mirror "+step.Name) >= share(step.Value) {
		return
	}
	t, err := c.target(step.Name)
	if err != nil {
		log.Print(err)
		return
	}
	copied := r.Clone(r.Context())
	if r.GetBody != nil {
		copied.Body, _ = r.GetBody()
	}
	copied.RequestURI = ""
	response, err := (&attempts{carrier: c, answer: answer, target: t}).RoundTrip(copied)
	if err != nil {
		log.Print(err)
		return
	}
	response.Body.Close()
}

// share reads a share of requests: "20 %", "1/3", or "" for all.
func share(text string) float64 {
	if text == "" {
		return 1
	}
	if percent, found := strings.CutSuffix(text, " %"); found {
		number, _ := strconv.ParseFloat(percent, 64)
		return number / 100
	}
	numerator, denominator, _ := strings.Cut(text, "/")
	n, _ := strconv.ParseFloat(numerator, 64)
	d, err := strconv.ParseFloat(denominator, 64)
	if err != nil || d == 0 {
		return 0
	}
	return n / d
}
