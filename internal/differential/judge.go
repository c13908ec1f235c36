package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/gwplan/gwplan/internal/differential/world"
)

// judge is a controller whose own code is called.
type judge struct {
	// name is the folder of its module.
	name    string
	dialect world.Dialect
	// elsewhere means that the judge is no part of this repository, because no module proxy serves its controller: it
	// runs where -binary says so.
	elsewhere bool
	// unjudged are types of conditions that depend on what no manifest tells, that always say the same, or that gwplan leaves out on
	// purpose.
	unjudged []string
	// untold are kinds of which `gwplan status` writes no status, because `gwplan policies` says of theirs what it knows, or writes it
	// at ancestors where the controller does not.
	untold []string
	// known are kinds of disagreement that are explained, with why. They count as neither right nor wrong.
	known map[string]string
}

var judges = []judge{
	{name: "envoygateway", dialect: world.EnvoyGateway, unjudged: []string{"RouteRulesOverlap"}, untold: []string{"Backend", "EnvoyProxy"}, known: patchesOfNobody},
	{name: "istio", dialect: world.Istio, unjudged: []string{"ResolvedWaypoints"}, untold: []string{"AuthorizationPolicy", "Service", "ServiceEntry", "WorkloadEntry"}, known: grantFirst},
	{name: "agentgateway", dialect: world.Agentgateway, elsewhere: true, untold: []string{"AgentgatewayBackend"}},
	{
		name: "nginx", dialect: world.Nginx, elsewhere: true,
		unjudged: []string{
			"SupportedVersion", "ClientSettingsPolicyAffected", "ObservabilityPolicyAffected", "ProxySettingsPolicyAffected", "RateLimitPolicyAffected",
			"SnippetsPolicyAffected", "PayloadProcessorPolicyAffected", "gateway.nginx.org/WAFPolicyAffected",
		},
		untold: []string{"AuthenticationFilter", "ExternalLoadBalancer", "SnippetsFilter"},
	},
}

// build compiles a command of the module in a folder.
func build(ctx context.Context, folder, binary, command string) error {
	compile := exec.CommandContext(ctx, "go", "build", "-o", binary, command)
	compile.Dir = folder
	compile.Stderr = os.Stderr
	if err := compile.Run(); err != nil {
		return fmt.Errorf("build %s in %s: %w", command, folder, err)
	}
	return nil
}

// court is a judge that runs, and the program that it judges.
type court struct {
	judge
	ctx     context.Context
	program string
	process *exec.Cmd
	in      *json.Encoder
	out     *bufio.Reader
	done    func() error
}

func open(ctx context.Context, j judge, binary, program string) (*court, error) {
	process := exec.CommandContext(ctx, binary)
	if !j.elsewhere {
		process.Dir = j.name // where the module is that says where the controller's files are
	}
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	done := func() error { return errors.Join(in.Close(), process.Wait()) }
	return &court{judge: j, ctx: ctx, program: program, process: process, in: json.NewEncoder(in), out: bufio.NewReaderSize(out, 1<<20), done: done}, nil
}

func (c *court) close() error { return c.done() }

// written is an object with its status, by whomever.
type written struct {
	Kind     string
	Metadata struct{ Namespace, Name string }
	Status   status
}

// answer is what the judge says of a world.
type answer struct {
	Refused  map[string]string
	Statuses []written
	Error    string
}

// ask gives the judge a world.
func (c *court) ask(objects []world.Object) (answer, error) {
	var a answer
	if err := c.in.Encode(map[string]any{"name": "world", "objects": objects}); err != nil {
		return a, err
	}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return a, fmt.Errorf("the judge gives no answer: %w", err)
	}
	return a, json.Unmarshal(line, &a)
}

// plan asks gwplan for the statuses of a world.
func (c *court) plan(objects []world.Object) ([]written, error) {
	var manifest bytes.Buffer
	for _, o := range objects {
		data, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		manifest.Write(data)
		manifest.WriteString("\n---\n")
	}
	cmd := exec.CommandContext(c.ctx, c.program, "status", "--complete", "--no-cache", "--no-config", "-o", "json", "-f", "-")
	cmd.Stdin = &manifest
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	output, err := cmd.Output()
	// 1 says that something is wrong with the objects, which is no surprise here.
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && failed.ExitCode() != 1 {
		return nil, fmt.Errorf("gwplan: %w: %s", err, complaint.String())
	}
	var list struct{ Items []written }
	return list.Items, json.Unmarshal(output, &list)
}

// grantFirst is what Istio 1.32 does in another way than the judge, which is of 1.31: it asks for the grant before it looks
// whether a certificate is there (istio/istio#61303). gwplan follows the newer one.
var grantFirst = map[string]string{
	"Gateway listener Accepted: want True/Accepted, got False/NoValidCACertificate":                     "istio/istio#61303",
	"Gateway listener ResolvedRefs: want False/InvalidCertificateRef, got False/RefNotPermitted":        "istio/istio#61303",
	"ListenerSet listener Accepted: want True/Accepted, got False/NoValidCACertificate":                 "istio/istio#61303",
	"ListenerSet listener ResolvedRefs: want False/InvalidCertificateRef, got False/RefNotPermitted":    "istio/istio#61303",
	"Gateway listener ResolvedRefs: want False/InvalidCACertificateRef, got False/RefNotPermitted":      "istio/istio#61303",
	"ListenerSet listener ResolvedRefs: want False/InvalidCACertificateRef, got False/RefNotPermitted":  "istio/istio#61303",
	"Gateway listener ResolvedRefs: want False/InvalidCACertificateKind, got False/RefNotPermitted":     "istio/istio#61303",
	"ListenerSet listener ResolvedRefs: want False/InvalidCACertificateKind, got False/RefNotPermitted": "istio/istio#61303",
}

// patchesOfNobody are what gwplan tells of patches whose target does not exist for them, where Envoy Gateway writes nothing.
var patchesOfNobody = map[string]string{
	"EnvoyPatchPolicy ancestorRef status: want none, got {Accepted=False/TargetNotFound}": "eg/EnvoyPatchPolicy, notFollowed",
	"EnvoyPatchPolicy ancestorRef status: want none, got {Accepted=False/Invalid}":        "eg/EnvoyPatchPolicy, notFollowed",
}
