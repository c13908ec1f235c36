package account_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gwplan/gwplan/loader/account"
)

func TestSpent(t *testing.T) {
	for _, tt := range []struct {
		name    string
		account *account.Account
		want    string
	}{
		{"none", nil, ""},
		{"without limits", account.New(0, 0), ""},
		{"enough of both", account.New(64<<30, 1000*time.Hour), ""},
		{"memory", account.New(1<<10, 0), "memory"},
		{"time", account.New(0, time.Nanosecond), "CPU time"},
	} {
		if got := tt.account.Spent(); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A larger input has a larger account.
func TestRead(t *testing.T) {
	a := account.New(1<<10, 0)
	a.Read(8<<30, 1<<20)
	if got := a.Spent(); got == "" {
		t.Error("1 MiB of a pack that holds 8 GiB makes the account larger")
	}
	a.Read(0, 8<<30)
	if got := a.Spent(); got != "" {
		t.Errorf("got %q after an input of 8 GiB", got)
	}
	if got, _ := a.Limits(); got != 4<<30 {
		t.Errorf("an input of 8 GiB may take %d bytes", got)
	}
	if got, _ := account.New(6<<30, 0).Limits(); got != 6<<30 {
		t.Errorf("a caller who grants 6 GiB gets %d bytes", got)
	}
}

// A file is decoded only if what it takes decoded still fits.
func TestDecode(t *testing.T) {
	a := account.New(300<<20, 0)
	if why := a.Decode(1 << 20); why != "" {
		t.Error(why)
	}
	if why := a.Decode(6 << 20); !strings.Contains(why, "its share of the run's 300 MiB") {
		t.Errorf("got %q", why)
	}
}

// watched waits for what overdraws an account.
func watched(t *testing.T, a *account.Account) account.Overdraft {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stopped := make(chan account.Overdraft, 1)
	a.Watch(ctx, func(o account.Overdraft) { stopped <- o })
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); { // takes CPU time
		if len(stopped) > 0 {
			return <-stopped
		}
	}
	t.Fatal("an overdrawn account does not end the run")
	return account.Overdraft{}
}

func TestWatch(t *testing.T) {
	want := account.Overdraft{Message: "the run was stopped after 0s of CPU time"}
	if got := watched(t, account.New(0, time.Nanosecond)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Nothing more is built while there is time to analyse what was built.
func TestBuildsLeaveTime(t *testing.T) {
	a := account.New(0, account.Used()+2*time.Second)
	for deadline := account.Used() + time.Second; account.Used() < deadline; { // takes CPU time
	}
	if _, why := a.BeginBuild("the kustomization shop"); !strings.Contains(why, "needs the rest for what is read and built") {
		t.Errorf("a build after half of the time: got %q", why)
	}
	if _, why := a.Begin("the rule x"); why != "" {
		t.Errorf("a rule after half of the time: got %q", why)
	}
	if _, why := account.New(0, time.Hour).BeginBuild("the kustomization shop"); why != "" {
		t.Error(why)
	}
}

// An environment that begins in a full memory is not what filled it: the next attempt builds less, and does not leave it out.
func TestFullBeforeAPart(t *testing.T) {
	const limit = 300 << 20
	a := account.New(limit, 0)
	if why := a.Decode(1); why != "" {
		t.Fatal(why)
	}
	held := make([]byte, limit/2)
	if _, why := a.BeginWhole("environment prod"); why != "" {
		t.Fatal(why)
	}
	more := make([]byte, limit/2)
	for i := 0; i < limit/2; i += 4096 {
		held[i], more[i] = 1, 1
	}
	if got := watched(t, a); got.Part != account.Builds {
		t.Errorf("got %+v", got)
	}
	runtime.KeepAlive(held)
	runtime.KeepAlive(more)
}

// What comes after the builds needs more than is left: the next attempt builds a quarter of what this one could.
func TestTooMuchWasBuilt(t *testing.T) {
	const limit = 300 << 20
	a := account.New(limit, 0)
	done, why := a.BeginBuild("the kustomization shop")
	if why != "" {
		t.Fatal(why)
	}
	done()
	held := make([]byte, limit)
	for i := 0; i < len(held); i += 4096 {
		held[i] = 1
	}
	got := watched(t, a)
	if got.Part != account.Builds || !strings.Contains(got.Message, "300 MiB of memory") {
		t.Errorf("got %+v", got)
	}
	runtime.KeepAlive(held)
	held = make([]byte, limit/5)
	if _, why := account.New(limit, 0).BeginBuild("the kustomization shop"); why != "" {
		t.Error(why)
	}
	if _, why := account.New(limit, 0, got.Part).BeginBuild("the kustomization shop"); !strings.Contains(why, "its share of the run's 300 MiB") {
		t.Errorf("got %q", why)
	}
	runtime.KeepAlive(held)
}

// A part that takes more than its share of the CPU time ends the attempt while there is time left
// for another one, which does not begin that part.
func TestShareOfOnePart(t *testing.T) {
	const outer, inner = "the kustomization shop", "the chart of shop"
	limit := 2*account.Used() + time.Second
	a := account.New(0, limit)
	_, _ = a.Begin(outer)
	ended, _ := a.Begin("the chart of cart")
	ended()
	_, why := a.Begin(inner)
	if why != "" {
		t.Fatal(why)
	}
	got := watched(t, a)
	if got.Part != inner || got.Message != "" {
		t.Errorf("got %q", got)
	}
	next := account.New(0, time.Hour, got.Part)
	if _, why := next.Begin(outer); why != "" {
		t.Error(why)
	}
	if _, why := next.Begin(inner); !strings.Contains(why, "alone takes too much of the run's 1h0m0s of CPU time") {
		t.Errorf("got %q", why)
	}
}

// What may take all that is left ends while another attempt without it can still be made, and a part within it that
// can be left out goes first.
func TestWholeParts(t *testing.T) {
	const prod, rule = "environment prod", "the rule x"
	for _, tt := range []struct {
		name string
		// began are the hours after which the environment and a part of it began, of 100; ended means that the part has ended.
		began [2]int
		ended bool
		took  int
		want  string
	}{
		{"in time", [2]int{1, 2}, true, 73, ""},
		{"alone", [2]int{1, 2}, true, 75, prod},
		{"a part that takes less than its share", [2]int{1, 2}, false, 34, ""},
		{"a part that began late and takes little", [2]int{1, 30}, false, 42, ""},
		{"a part that began late", [2]int{1, 30}, false, 46, rule},
		{"a part that began too late for another attempt", [2]int{1, 40}, false, 60, ""},
		{"its environment", [2]int{1, 40}, false, 75, prod},
		{"an environment that began too late, too", [2]int{38, 40}, false, 99, ""},
	} {
		a := account.New(0, 100*time.Hour)
		a.Measured(time.Duration(tt.began[0]) * time.Hour)
		_, _ = a.BeginWhole(prod)
		a.Measured(time.Duration(tt.began[1]) * time.Hour)
		ended, _ := a.Begin(rule)
		if tt.ended {
			ended()
		}
		if got := a.TooMuch(time.Duration(tt.took) * time.Hour); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
