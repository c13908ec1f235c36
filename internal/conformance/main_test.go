package conformance

import (
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-logr/logr"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
)

// program is the path of gwplan.
var program string

// programVariable holds the path of gwplan where it is built already.
const programVariable = "GWPLAN_CONFORMANCE_PROGRAM"

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	os.Exit(run(m))
}

// run builds gwplan from this tree before tests use it.
func run(m *testing.M) int {
	if program = os.Getenv(programVariable); program != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "gwplan")
	if err != nil {
		log.Print(err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "gwplan")
	build := exec.Command("go", "build", "-o", program, "./cmd/gwplan")
	build.Dir = filepath.Join("..", "..")
	if output, err := build.CombinedOutput(); err != nil {
		log.Printf("building gwplan: %v\n%s", err, output)
		return 1
	}
	return m.Run()
}
