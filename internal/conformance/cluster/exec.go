package cluster

import (
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"
)

// exec runs a command in a pod for a client that speaks SPDY, as kubectl exec does, and sends what it prints.
func (s *Server) exec(w http.ResponseWriter, r *http.Request, pod types.NamespacedName) {
	if _, err := httpstream.Handshake(r, w, []string{"v4.channel.k8s.io"}); err != nil {
		fail(w, http.StatusBadRequest, "", err.Error())
		return
	}
	streams := make(chan httpstream.Stream)
	conn := spdy.NewResponseUpgrader().UpgradeResponse(w, r, func(stream httpstream.Stream, _ <-chan struct{}) error {
		streams <- stream
		return nil
	})
	if conn == nil {
		return // and the upgrader has said why
	}
	defer conn.Close()
	opened := map[string]httpstream.Stream{}
	for len(opened) < 3 { // a client that wants the output opens these, and the suite always wants it
		select {
		case stream := <-streams:
			opened[stream.Headers().Get(corev1.StreamType)] = stream
		case <-time.After(10 * time.Second):
			return
		}
	}
	fmt.Fprint(opened[corev1.StreamTypeStdout], s.Run(pod, r.URL.Query()["command"]))
	for _, stream := range opened {
		stream.Close()
	}
	<-conn.CloseChan()
}
