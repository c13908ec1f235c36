package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"os"
	"slices"
	"time"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader/account"
	"github.com/gwplan/gwplan/loader/cache"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/report"
)

// cachedPlan is the place of a plan in the cache: two commits that were compared before, with the same
// options, have the same plan. Other trees have no key.
type cachedPlan struct {
	cache *cache.Cache
	key   cache.Key
}

// planInput is all that a plan of two commits depends on, but for the program.
type planInput struct {
	Base, Head source.Revision
	// Config is the content of --config, Day decides which ignore entries have expired.
	Config, Day           string
	NoConfig, Complete    bool
	ParseAll              bool
	MaxFileSize           int64
	Controller            []string
	Environment, Paths    []string
	Namespace, ConfigName string
}

// planInCache returns the place of the plan of two commits. There is none for other trees, and where folders outside
// the repository are read, whose content no commit identifies.
func (c *diffCommand) planInCache(t terminal, pair *source.Pair, results *cache.Cache) cachedPlan {
	base, head, ok := pair.Revisions()
	if !ok || len(c.Context) > 0 || c.HelmCache != "" || len(without(t.environ)) > 0 {
		return cachedPlan{cache: results}
	}
	in := planInput{
		Base: base, Head: head, Day: time.Now().UTC().Format(time.DateOnly), NoConfig: c.NoConfig, Complete: c.Complete,
		ParseAll: c.ParseAll, MaxFileSize: c.MaxFileSize, Controller: c.Controller, Environment: c.Environment, Paths: c.paths, Namespace: c.Namespace,
	}
	if c.Config != "" {
		content, err := os.ReadFile(c.path(c.Config))
		if err != nil {
			return cachedPlan{cache: results} // reading the configuration reports it
		}
		in.Config, in.ConfigName = string(content), c.Config // messages have the name of the file
	}
	text, err := json.Marshal(in)
	if err != nil {
		return cachedPlan{cache: results}
	}
	return cachedPlan{results, sha256.Sum256([]byte("plan\n" + program() + "\n" + string(text)))}
}

// read returns the plan, or nil if it was not kept.
func (c cachedPlan) read(ctx context.Context, t terminal, f inputFlags) *plan.Plan {
	text, ok := c.cache.Get(c.key)
	if !ok || c.key == (cache.Key{}) {
		return nil
	}
	p, err := report.ReadPlan(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	f.account(ctx, t).Count(account.PlansReused, 1)
	return p
}

// write keeps a plan, unless another run could see more than this one.
func (c cachedPlan) write(p *plan.Plan, of *account.Account) {
	passing := func(p plan.Problem) bool { return slices.Contains(source.Passing, p.Code) }
	if c.cache == nil || c.key == (cache.Key{}) || of.Limited() || slices.ContainsFunc(p.Problems, passing) {
		return
	}
	if text, err := json.Marshal(p); err == nil {
		c.cache.Put(c.key, text)
	}
}

// results keep what the analysis finds out about environments.
func (c cachedPlan) results(s *settings) analyze.Results {
	if c.cache == nil {
		return nil
	}
	return environmentResults{c.cache, s.cacheKey(false)}
}

// environmentResults adds the program and the kinds of the configuration to the keys.
type environmentResults struct {
	cache   *cache.Cache
	program string
}

func (r environmentResults) key(of [32]byte) cache.Key {
	return sha256.Sum256(append([]byte("environment\n"+r.program+"\n"), of[:]...))
}

// Get implements analyze.Results.
func (r environmentResults) Get(key [32]byte) ([]byte, bool) { return r.cache.Get(r.key(key)) }

// Put implements analyze.Results.
func (r environmentResults) Put(key [32]byte, data []byte) { r.cache.Put(r.key(key), data) }
