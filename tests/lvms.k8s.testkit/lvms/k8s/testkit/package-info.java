/** A Kubernetes API server in memory: start it, use it, break it. */
package lvms.k8s.testkit;
