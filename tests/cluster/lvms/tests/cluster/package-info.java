/**
 * A real Kubernetes cluster for tests: the control plane as processes of this machine, kubelet and
 * containerd on the machines of the lab.
 */
package lvms.tests.cluster;
