/** Kubernetes objects as trees that keep every field, and the value types found in them. */
package lvms.k8s.object;
