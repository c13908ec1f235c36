package account_test

import (
	"context"
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
	a.Read(8 << 30)
	if got := a.Spent(); got != "" {
		t.Errorf("got %q after an input of 8 GiB", got)
	}
}

func TestWatch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	a := account.New(0, time.Nanosecond)
	a.Doing("the chart of shop")
	stopped := make(chan string, 1)
	a.Watch(ctx, func(message string) { stopped <- message })
	select {
	case message := <-stopped:
		if !strings.Contains(message, "while it rendered the chart of shop") {
			t.Errorf("got %q", message)
		}
	case <-time.After(time.Minute):
		t.Fatal("an overdrawn account does not end the run")
	}
}
