package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/config"
	"github.com/gwplan/gwplan/report"
)

// configCommand holds the commands about .gwplan.yaml.
type configCommand struct {
	Init   configInit   `cmd:"" help:"Write a .gwplan.yaml with the environments found here."`
	Show   configShow   `cmd:"" help:"Show which environments there are, what each is made of, and what was left out and why."`
	Verify configVerify `cmd:"" help:"Check a configuration; prints nothing if it is valid."`
	Schema configSchema `cmd:"" help:"Print the JSON Schema of the configuration."`
}

// configInit writes a configuration with the environments found.
type configInit struct {
	Force     bool   `help:"Overwrite a file that is there."`
	Directory string `short:"C" placeholder:"DIR" help:"Run as if started in DIR."`
}

func (c *configInit) Help() string {
	return `Examples:
  gwplan config init            a .gwplan.yaml to read, complete and commit`
}

// Run finds the environments as an analysis would and writes the file.
func (c *configInit) Run(ctx context.Context, t terminal) error {
	in := inputFlags{Directory: c.Directory, NoConfig: true}
	path := in.path(configName)
	if _, err := os.Lstat(path); err == nil && !c.Force {
		return usageError(path+" exists already", "use --force to overwrite it")
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usageError(err.Error(), "")
	}
	if link := linkOnTheWay(path); link != "" {
		return usageError(link+" is a symbolic link: the configuration is not written through it", "remove the link")
	}
	one := oneTree{inputFlags: in}
	snapshot, _, err := one.load(ctx, t)
	if err != nil {
		return err
	}
	var found []config.Environment
	for _, env := range snapshot.Environments {
		e := config.Environment{Name: env.Name, Paths: []string{env.Path}}
		if env.By == loader.ByArgoCD {
			e.Paths, e.ArgoCD = nil, env.Name
		}
		found = append(found, e)
	}
	if err := os.WriteFile(path, config.Starter(found), 0o644); err != nil {
		return usageError(err.Error(), "name a folder that can be written with -C")
	}
	_, err = fmt.Fprintf(t.stdout, "wrote %s; environments found: %d\n", path, len(found))
	return err
}

// configShow shows the environments found.
type configShow struct {
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" document:"environments" help:"Format: ${environments_formats}. Repeatable."`
	oneTree
}

func (c *configShow) Help() string {
	return `Examples:
  gwplan config show            the environments of the work tree, and what was left out and why
  gwplan config show --rev main those of a revision`
}

// Run finds the environments as an analysis would and lists them.
func (c *configShow) Run(ctx context.Context, t terminal) error {
	return listing[plan.EnvironmentList]{
		document: report.Environments,
		list: func(s *loader.Snapshot, _ selection.Selection, o analyze.Options) *plan.EnvironmentList {
			return analyze.ListEnvironments(s, o)
		},
		problems: func(d *plan.EnvironmentList) []plan.Problem { return d.Problems },
	}.run(ctx, t, &c.oneTree, "", c.Output)
}

// configVerify checks a file.
type configVerify struct {
	File      string `arg:"" optional:"" help:"File to check; .gwplan.yaml by default."`
	Directory string `short:"C" placeholder:"DIR" help:"Run as if started in DIR."`
}

func (c *configVerify) Help() string {
	return `Examples:
  gwplan config verify          in a pre-commit hook or a pipeline: prints nothing if it is valid`
}

// Run reads the file as an analysis would, its policy kinds too.
func (c *configVerify) Run() error {
	in := inputFlags{Directory: c.Directory, Config: c.File}
	if in.Config == "" {
		in.Config = configName
	}
	if c.File == "" {
		if _, err := os.Stat(in.path(configName)); err != nil {
			return usageError("there is no "+in.path(configName), "gwplan config init writes one")
		}
	}
	read, err := in.givenConfig()
	if err != nil {
		return err
	}
	_, err = prepare(read, in, outputFlags{})
	return err
}

// configSchema prints the schema.
type configSchema struct{}

func (c *configSchema) Help() string {
	return `Examples:
  gwplan config schema > gwplan.schema.json   for an editor`
}

// Run prints a JSON Schema, draft-07.
func (configSchema) Run(t terminal) error {
	_, err := t.stdout.Write(config.Schema())
	return err
}
