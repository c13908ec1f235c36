package flux

// bits is a set of small numbers.
type bits []uint64

func newBits(size int) bits { return make(bits, (size+63)/64) }

func (b bits) add(n int) { b[n/64] |= 1 << (n % 64) }

func (b bits) has(n int) bool { return b[n/64]&(1<<(n%64)) != 0 }
