package protection

import "testing"

func TestQuantity(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"0", "0"},
		{"-1.5", "-3/2"},
		{".5", "1/2"},
		{"5.", "5"},
		{"100m", "1/10"},
		{"1u", "1/1000000"},
		{"2n", "1/500000000"},
		{"1k", "1000"},
		{"3M", "3000000"},
		{"1E", "1000000000000000000"},
		{"1E3", "1000"},
		{"1e-3", "1/1000"},
		{"1Ki", "1024"},
		{"2Mi", "2097152"},
		{"", "no"},
		{"10s", "no"},
		{"1 k", "no"},
		{"k", "no"},
		{"1K", "no"},
		{"1mi", "no"},
		{"1e9999999", "no"},
		{"0x10", "no"},
	} {
		got := "no"
		if n, ok := quantity(tt.text); ok {
			got = n.RatString()
		}
		if got != tt.want {
			t.Errorf("%q is %s, want %s", tt.text, got, tt.want)
		}
	}
}
