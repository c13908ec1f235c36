package kustomize

// Bits is a set of small numbers.
type Bits []uint64

func NewBits(size int) Bits { return make(Bits, (size+63)/64) }

func (b Bits) Add(n int) { b[n/64] |= 1 << (n % 64) }

func (b Bits) Has(n int) bool { return b[n/64]&(1<<(n%64)) != 0 }
