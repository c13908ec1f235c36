package cluster

import (
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Pods returns the pods of all Deployments, which are ready at once.
func (s *Store) Pods() []corev1.Pod {
	objects, _ := s.Objects()
	var out []corev1.Pod
	for _, object := range objects {
		if object.GetKind() != "Deployment" {
			continue
		}
		var deployment appsv1.Deployment
		if Decode(object, &deployment) != nil {
			continue
		}
		replicas := 1
		if deployment.Spec.Replicas != nil {
			replicas = int(*deployment.Spec.Replicas)
		}
		for i := range replicas {
			out = append(out, podOf(&deployment, i))
		}
	}
	return out
}

// podOf is a pod of a Deployment. Its name ends in two parts as those of a ReplicaSet do, which the suite cuts off.
func podOf(deployment *appsv1.Deployment, i int) corev1.Pod {
	hash := fnv.New32a()
	fmt.Fprintf(hash, "%s/%s", deployment.Namespace, deployment.Name)
	sum := hash.Sum32()
	pod := corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, Spec: *deployment.Spec.Template.Spec.DeepCopy()}
	pod.Namespace = deployment.Namespace
	pod.Name = fmt.Sprintf("%s-%08x-pod%02d", deployment.Name, sum, i)
	pod.UID = types.UID(fmt.Sprintf("%s-%d", deployment.UID, i))
	pod.Labels = deployment.Spec.Template.Labels
	pod.Annotations = deployment.Spec.Template.Annotations
	pod.CreationTimestamp = deployment.CreationTimestamp
	pod.Spec.NodeName = "node"
	ip := fmt.Sprintf("10.%d.%d.%d", sum>>8&0xff, sum&0xff, i+1)
	pod.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
	}
	return pod
}

// Logs are the lines that pods have printed.
type Logs struct {
	mu    sync.Mutex
	lines map[types.NamespacedName][]logLine
}

type logLine struct {
	at   time.Time
	text string
}

// Print adds a line to the log of a pod.
func (l *Logs) Print(pod types.NamespacedName, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lines == nil {
		l.lines = map[types.NamespacedName][]logLine{}
	}
	l.lines[pod] = append(l.lines[pod], logLine{time.Now(), text})
}

// since returns the lines of a pod from a time on.
func (l *Logs) since(pod types.NamespacedName, from time.Time) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for _, line := range l.lines[pod] {
		if !line.at.Before(from) {
			out = append(out, line.text)
		}
	}
	return out
}
