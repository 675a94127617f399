/** The subset of YAML that Kubernetes files use. */
package lvms.k8s.yaml;
