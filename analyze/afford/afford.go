// Package afford divides an analysis into parts that a run may not be able to afford. A part that is left out is a
// problem of the answer, and the other parts stand.
package afford

// Parts knows which parts the run can afford, and which were left out. A nil Parts affords everything. It is
// not safe for concurrent use.
type Parts struct {
	// Begin begins a part of this name, or says why it must be left out. The caller calls done when the part has ended.
	// Parts may contain others.
	Begin func(name string) (done func(), why string)
	// BeginWhole is Begin for a part without which there is hardly an answer: it may cost all that is left.
	BeginWhole func(name string) (done func(), why string)

	omitted []Omission
}

// Omission is a part that was left out.
type Omission struct {
	// Part names what was left out, such as "the rule requests-lost", in an environment.
	Part, Environment string
	// Why says what it would have cost, Hint what to do if that is not to grant the run more.
	Why, Hint string
}

// Enter begins a part of the analysis of an environment. ok is false if it must be left out, which is noted.
func (p *Parts) Enter(part, environment string) (leave func(), ok bool) {
	if p == nil || p.Begin == nil {
		return func() {}, true
	}
	return p.entered(p.Begin, part+" in environment "+environment, Omission{Part: part, Environment: environment})
}

// EnterEnvironment begins the analysis of an environment.
func (p *Parts) EnterEnvironment(name string) (leave func(), ok bool) {
	if p == nil || p.BeginWhole == nil {
		return func() {}, true
	}
	return p.entered(p.BeginWhole, Environment+" "+name, Omission{Part: Environment, Environment: name})
}

// Environment is the part that is a whole environment.
const Environment = "environment"

func (p *Parts) entered(begin func(string) (func(), string), name string, o Omission) (leave func(), ok bool) {
	leave, o.Why = begin(name)
	if o.Why != "" {
		p.omitted = append(p.omitted, o)
		return nil, false
	}
	return leave, true
}

// OmitEnvironment notes that an environment was left out, and why.
func (p *Parts) OmitEnvironment(name, why string) {
	p.omitted = append(p.omitted, Omission{Part: Environment, Environment: name, Why: why})
}

// Omit notes that a part of the analysis of an environment was left out, why, and what to do.
func (p *Parts) Omit(part, environment, why, hint string) {
	if p != nil {
		p.omitted = append(p.omitted, Omission{Part: part, Environment: environment, Why: why, Hint: hint})
	}
}

// Omitted lists what was left out so far.
func (p *Parts) Omitted() []Omission {
	if p == nil {
		return nil
	}
	return p.omitted
}
