package answer

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Step is one thing that happens to a request or its answer, and the line that says so.
type Step struct {
	Action Action
	// Name and Value are what the action is about; Action says which.
	Name, Value string
	// Backend is the only backend on whose way it happens, "" for all.
	Backend string
	At      loader.Position
}

// Action is what a step does.
type Action string

// The actions. Of those on headers Name is the header and Value what it is set to.
const (
	SetRequestHeader     Action = "set-request-header"
	AddRequestHeader     Action = "add-request-header"
	RemoveRequestHeader  Action = "remove-request-header"
	SetResponseHeader    Action = "set-response-header"
	AddResponseHeader    Action = "add-response-header"
	RemoveResponseHeader Action = "remove-response-header"
	// Redirects answers with the status Name and the location Value.
	Redirects Action = "redirect"
	// RewritesHost and RewritesPath replace the host or the path by Value.
	RewritesHost Action = "rewrite-host"
	RewritesPath Action = "rewrite-path"
	// Mirrors sends a copy of a share of requests, Value ("" for all), to the backend Name.
	Mirrors Action = "mirror"
	// AsksExternally asks the backend Name for authorisation.
	AsksExternally Action = "external-auth"
	// Extends applies an object of an implementation's own kind, Name, or a filter of the type Value.
	Extends Action = "extension"
	// ExtendsFirst applies an object of an implementation's own kind, Name, before a route is chosen.
	ExtendsFirst Action = "pre-routing-extension"
	// Answers is an answer of the Gateway itself, with the status Value.
	Answers Action = "answer"
	// AnswersSome is one to a percentage of requests, Name.
	AnswersSome Action = "answer-some"
	// Fails is an answer of the Gateway itself, with the status Name, because something cannot be used, as Value says.
	Fails Action = "fail"
	// AllowsOrigin and RefusesOrigin are about browsers' requests from the origin Value, AnswersPreflight
	// answers their preflight requests.
	AllowsOrigin     Action = "allow-origin"
	RefusesOrigin    Action = "refuse-origin"
	AnswersPreflight Action = "answer-preflight"
	// LimitsTime allows the time Value for the whole request, or for that to a backend: Name is request or
	// backendRequest.
	LimitsTime Action = "timeout"
	// TriesAgain tries a request again, Value times at most, after the statuses Name, "500,503" ("" if none is listed).
	TriesAgain Action = "retry"
)

// String says what happens.
func (s *Step) String() string {
	text := s.text()
	if s.Backend != "" {
		text += " (for " + s.Backend + ")"
	}
	return text
}

func (s *Step) text() string {
	value := loader.WithoutCredentials(s.Value)
	switch s.Action {
	case SetRequestHeader:
		return fmt.Sprintf("sets request header %s to %s", s.Name, value)
	case AddRequestHeader:
		return fmt.Sprintf("adds %s to request header %s", value, s.Name)
	case RemoveRequestHeader:
		return "removes request header " + s.Name
	case SetResponseHeader:
		return fmt.Sprintf("sets response header %s to %s", s.Name, value)
	case AddResponseHeader:
		return fmt.Sprintf("adds %s to response header %s", value, s.Name)
	case RemoveResponseHeader:
		return "removes response header " + s.Name
	case Redirects:
		return fmt.Sprintf("answers %s, a redirect to %s", s.Name, value)
	case RewritesHost:
		return "the host becomes " + value
	case RewritesPath:
		return "the path becomes " + value
	case Mirrors:
		if value == "" {
			return "sends a copy to " + s.Name
		}
		return fmt.Sprintf("sends a copy to %s (%s of requests)", s.Name, value)
	case AsksExternally:
		return "asks " + s.Name + " for authorisation"
	case Extends:
		return "applies " + cmp.Or(s.Name, "filter "+value)
	case ExtendsFirst:
		return "applies " + s.Name + " before a route is chosen, which may change path, method and headers"
	case Answers:
		return fmt.Sprintf("answers %s by itself", value)
	case AnswersSome:
		return fmt.Sprintf("answers %s to %s %% of requests", value, s.Name)
	case Fails:
		return fmt.Sprintf("answers %s: %s", s.Name, value)
	case AllowsOrigin:
		return "allows access from the origin " + value
	case RefusesOrigin:
		return "allows no access from the origin " + value
	case AnswersPreflight:
		return "answers the preflight request of " + value
	case LimitsTime:
		what := "the request"
		if s.Name == backendTime {
			what = "the request to the backend"
		}
		if noTime.MatchString(value) {
			return what + " has no timeout (" + value + ")"
		}
		return what + " may take " + value
	case TriesAgain:
		if s.Name == "" {
			return fmt.Sprintf("is tried again up to %s times", value)
		}
		return fmt.Sprintf("is tried again up to %s times after %s", value, strings.ReplaceAll(s.Name, ",", ", "))
	}
	return string(s.Action)
}

// noTime matches durations of zero, which turn a timeout off (Gateway API, HTTPRouteTimeouts).
var noTime = regexp.MustCompile(`^(0+(h|m|s|ms))+$`)
