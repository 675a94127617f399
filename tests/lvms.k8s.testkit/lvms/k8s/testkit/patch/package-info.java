/** The patches of the Kubernetes API. */
package lvms.k8s.testkit.patch;
