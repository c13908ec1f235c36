package analyze_test

import "maps"

// older says whether some policy of an assumed kind holds both bodies: then all
// of them speak the older dialect.
func (r *reference) older(k refKind) bool {
	for _, d := range r.docs {
		if k.name == "AssumedPolicy" && kindOf(d) == k.name && readPolicy(d).hasBoth {
			return true
		}
	}
	return false
}

// readPolicy takes the spec proper, and how it merges, out of a manifest.
func readPolicy(d doc) refPolicy {
	p := refPolicy{name: namespaceOf(d) + "/" + nameOf(d), age: str(d["metadata"].(doc), "creationTimestamp")}
	own := maps.Clone(spec(d))
	p.strategy, p.mergeType = str(own, "strategy"), str(own, "mergeType")
	for _, common := range []string{"targetRef", "targetRefs", "strategy", "mergeType"} {
		delete(own, common)
	}
	defaults, lower := first(own, "defaults", "default")
	overrides, upper := first(own, "overrides", "override")
	p.hasBoth, p.beside = lower && upper, (lower || upper) && len(own) > 0
	p.lower, p.upper = defaults, overrides
	switch {
	case lower:
		p.read(defaults)
	case upper:
		p.read(overrides)
		p.override = true
	case len(own) > 0:
		p.spec, p.lower = own, own
	}
	return p
}

func (p *refPolicy) read(body doc) {
	p.spec = maps.Clone(body)
	if s := str(body, "strategy"); s != "" {
		p.strategy = s
	}
	delete(p.spec, "strategy")
}

// first takes the first of some fields out of a map.
func first(d doc, keys ...string) (doc, bool) {
	for _, key := range keys {
		if body, ok := d[key].(doc); ok {
			delete(d, key)
			return body, true
		}
	}
	return nil, false
}

// foldHigherDictates is rule 1 of GEP-713: the strategy of the higher level
// says how it merges with what all below it came to.
func foldHigherDictates(layers []layer) doc {
	if len(layers) == 0 {
		return nil
	}
	above, below := layers[0], foldHigherDictates(layers[1:])
	oldest := above.policies[0]
	own := oneOf(above.policies)
	if oldest.override {
		return byStrategy(oldest.strategy, own, below)
	}
	return byStrategy(oldest.strategy, below, own)
}

// oneOf is one spec for the policies of a level: the older wins.
func oneOf(policies []refPolicy) doc {
	var specs []doc
	for _, p := range policies {
		specs = append(specs, p.spec)
	}
	return pile(specs, func(winner, loser doc) doc { return byStrategy(policies[0].strategy, winner, loser) })
}

// pile lays each spec over all that come after it.
func pile(specs []doc, over func(winner, loser doc) doc) doc {
	if len(specs) == 0 {
		return nil
	}
	return over(specs[0], pile(specs[1:], over))
}

func byStrategy(strategy string, winner, loser doc) doc {
	switch {
	case winner == nil:
		return loser
	case loser == nil:
		return winner
	case strategy == "patch" || strategy == "merge":
		return patched(winner, loser)
	}
	return winner
}

func patched(winner, loser doc) doc {
	switch {
	case winner == nil:
		return loser
	case loser == nil:
		return winner
	}
	return patch(winner, loser).(doc)
}

// patch is RFC 7396. A null stays: what is merged in later is removed, too.
func patch(winner, loser any) any {
	w, ok := winner.(doc)
	if !ok {
		return winner
	}
	l, ok := loser.(doc)
	if !ok {
		return winner
	}
	out := maps.Clone(l)
	for key, value := range w {
		if under, ok := l[key]; ok {
			value = patch(value, under)
		}
		out[key] = value
	}
	return out
}

// strip takes the nulls out at the end.
func strip(d doc) doc {
	out := doc{}
	for key, value := range d {
		switch value := value.(type) {
		case nil:
		case doc:
			out[key] = strip(value)
		default:
			out[key] = value
		}
	}
	return out
}

// foldOlder is the order of the older policy attachment: A override > B
// override > C override > C default > B default > A default; at one level the
// older before the newer.
func foldOlder(layers []layer) doc {
	var upper, lower []doc
	for _, l := range layers {
		var defaults []doc
		for _, p := range l.policies {
			upper = append(upper, p.upper)
			defaults = append(defaults, p.lower)
		}
		lower = append(defaults, lower...)
	}
	return pile(append(upper, lower...), patched)
}

// foldUnits is Kuadrant's: each policy is a level of its own, the oldest the
// highest; a policy without limits is none; `merge` goes by whole limits.
func foldUnits(layers []layer) doc {
	var result doc
	for i := len(layers) - 1; i >= 0; i-- {
		for j := len(layers[i].policies) - 1; j >= 0; j-- {
			p := layers[i].policies[j]
			own := p.spec
			if len(sub(own, "limits")) == 0 {
				continue
			}
			winner, loser := result, own
			if p.override {
				winner, loser = own, result
			}
			switch {
			case winner == nil:
				result = loser
			case loser == nil || p.strategy != "merge":
				result = winner
			default:
				limits := maps.Clone(sub(loser, "limits"))
				maps.Copy(limits, sub(winner, "limits"))
				result = doc{"limits": limits}
			}
		}
	}
	return result
}

// foldClosest is Envoy Gateway's: the most specific policy whole, or patched
// over the closest one above it that is not its own route's. Nulls are not in its
// Go types and remove nothing.
func foldClosest(layers []layer) doc {
	lowest := layers[len(layers)-1]
	own := lowest.policies[0]
	if own.mergeType == "" || lowest.level != "Route" && lowest.level != "Rule" {
		return own.spec
	}
	for i := len(layers) - 2; i >= 0; i-- {
		if lowest.level == "Rule" && layers[i].level == "Route" {
			continue
		}
		return patched(strip(own.spec), strip(layers[i].policies[0].spec))
	}
	return own.spec
}

// foldDirect is GEP-2648's: the most specific policy whole, nothing merges.
func foldDirect(layers []layer) doc { return layers[len(layers)-1].policies[0].spec }
