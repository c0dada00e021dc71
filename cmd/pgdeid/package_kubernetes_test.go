package main

import (
	"fmt"
	"net"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// manifest is an object of kubernetes.yaml, as far as pgdeid depends on it.
type manifest struct {
	Kind     string
	Metadata struct{ Name, Namespace string }
	Data     map[string]string
	Spec     struct {
		Replicas    int
		ServiceName string `yaml:"serviceName"`
		ClusterIP   string `yaml:"clusterIP"`
		Template    podTemplate
		JobTemplate struct {
			Spec struct{ Template podTemplate }
		} `yaml:"jobTemplate"`
	}
}

type podTemplate struct {
	Spec podSpec
}

type podSpec struct {
	AutomountServiceAccountToken *bool          `yaml:"automountServiceAccountToken"`
	EnableServiceLinks           *bool          `yaml:"enableServiceLinks"`
	SecurityContext              map[string]any `yaml:"securityContext"`
	Containers                   []container
	Volumes                      []volume
}

type volume struct {
	Name   string
	Secret struct {
		SecretName string `yaml:"secretName"`
	}
}

type volumeMount struct {
	Name      string
	MountPath string `yaml:"mountPath"`
	ReadOnly  bool   `yaml:"readOnly"`
}

type container struct {
	Name, Image string
	Args        []string
	Ports       []struct {
		Name          string
		ContainerPort int `yaml:"containerPort"`
	}
	SecurityContext map[string]any `yaml:"securityContext"`
	VolumeMounts    []volumeMount  `yaml:"volumeMounts"`
}

// pod returns what an object has for its pods, if it has any.
func (m *manifest) pod() (podSpec, bool) {
	for _, p := range []podSpec{m.Spec.Template.Spec, m.Spec.JobTemplate.Spec.Template.Spec} {
		if len(p.Containers) > 0 {
			return p, true
		}
	}
	return podSpec{}, false
}

// secrets returns the secrets that the pods are given.
func (p *podSpec) secrets() (names []string) {
	for _, v := range p.Volumes {
		if v.Secret.SecretName != "" {
			names = append(names, v.Secret.SecretName)
		}
	}
	return names
}

// manifests returns the objects of kubernetes.yaml by kind and name.
func manifests(t *testing.T) map[string]*manifest {
	t.Helper()
	list := map[string]*manifest{}
	for document := range strings.SplitSeq(packaged(t, "kubernetes.yaml"), "\n---\n") {
		var m manifest
		if err := yaml.Unmarshal([]byte(document), &m); err != nil {
			t.Fatal(err)
		}
		name := m.Kind + " " + m.Metadata.Name
		if list[name] != nil {
			t.Errorf("%s is there twice", name)
		}
		list[name] = &m
	}
	return list
}

// All pods may do as little, run one program, and are given files that can only be read.
func TestPodsAreHardenedAlike(t *testing.T) {
	t.Parallel()
	all := manifests(t)
	first, _ := all["StatefulSet pgdeid"].pod()
	found := 0
	for name, m := range all {
		p, ok := m.pod()
		if !ok {
			continue
		}
		found++
		if p.AutomountServiceAccountToken == nil || *p.AutomountServiceAccountToken || p.EnableServiceLinks == nil || *p.EnableServiceLinks {
			t.Errorf("%s tells its pods about the cluster", name)
		}
		if len(p.Containers) != 1 || p.Containers[0].Image != first.Containers[0].Image {
			t.Errorf("%s: %+v", name, p.Containers)
		}
		c := p.Containers[0]
		if p.SecurityContext["runAsNonRoot"] != true || c.SecurityContext["readOnlyRootFilesystem"] != true ||
			!reflect.DeepEqual(p.SecurityContext, first.SecurityContext) ||
			!reflect.DeepEqual(c.SecurityContext, first.Containers[0].SecurityContext) {
			t.Errorf("%s is hardened otherwise than the stream", name)
		}
		for _, mount := range c.VolumeMounts {
			if !mount.ReadOnly || !slices.ContainsFunc(p.Volumes, func(v volume) bool { return v.Name == mount.Name }) {
				t.Errorf("%s: mount %s has no volume, or can be written", name, mount.Name)
			}
		}
		checkCall(t, name, c.Args)
	}
	if found != 4 {
		t.Errorf("%d objects have pods", found)
	}
}

// checkCall makes sure that pgdeid understands a call.
func checkCall(t *testing.T, name string, args []string) {
	t.Helper()
	cmd, rest, err := newProgram().Find(args)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err != nil || cmd.Flags().NArg() > 0 {
		t.Errorf("%s calls pgdeid %v: %v", name, args, err)
	}
}

// Each pod of the detection workers is an address of the stream, by its own name, and has no more than its certificate.
func TestDetectionWorkersOfKubernetesAreThoseOfTheStream(t *testing.T) {
	t.Parallel()
	all := manifests(t)
	cfg, err := loadText(t, all["ConfigMap pgdeid"].Data["pgdeid.yaml"])
	if err != nil {
		t.Fatal(err)
	}
	detect := all["StatefulSet pgdeid-detect"]
	p, _ := detect.pod()
	c := p.Containers[0]
	_, port, err := net.SplitHostPort(c.Args[slices.Index(c.Args, "--detect")+1])
	if err != nil || len(c.Ports) == 0 || fmt.Sprint(c.Ports[0].ContainerPort) != port {
		t.Errorf("port %s: %+v, %v", port, c.Ports, err)
	}
	service := all["Service "+detect.Spec.ServiceName]
	if service == nil || service.Spec.ClusterIP != "None" {
		t.Errorf("pods of %q have no names", detect.Spec.ServiceName)
	}
	var want []string
	for n := range detect.Spec.Replicas {
		want = append(want, fmt.Sprintf("%s-%d.%s.%s.svc:%s", detect.Metadata.Name, n, detect.Spec.ServiceName, detect.Metadata.Namespace, port))
	}
	if w := cfg.Detect.Workers; !slices.Equal(w.Addresses, want) {
		t.Errorf("the stream uses %v, and there are %v", w.Addresses, want)
	}
	if got := p.secrets(); !slices.Equal(got, []string{"pgdeid-detect-tls"}) {
		t.Errorf("detection workers are given %v", got)
	}
	stream, _ := all["StatefulSet pgdeid"].pod()
	for _, pod := range []podSpec{p, stream} {
		has := func(m volumeMount) bool {
			return strings.HasPrefix(cfg.Detect.Workers.Certificate.KeyFile, m.MountPath+"/")
		}
		if !slices.ContainsFunc(pod.Containers[0].VolumeMounts, has) {
			t.Errorf("%s has no certificate", pod.Containers[0].Name)
		}
	}
	if !slices.Contains(stream.secrets(), "pgdeid-stream-tls") {
		t.Errorf("the stream is given %v", stream.secrets())
	}
}

// Every secret that a pod is given is made by a command at the top of the file.
func TestSecretsOfKubernetesAreMadeByCommands(t *testing.T) {
	t.Parallel()
	text := packaged(t, "kubernetes.yaml")
	for name, m := range manifests(t) {
		p, _ := m.pod()
		for _, secret := range p.secrets() {
			if !strings.Contains(text, "create secret generic "+secret+" ") {
				t.Errorf("%s: no command makes the secret %s", name, secret)
			}
		}
	}
}
