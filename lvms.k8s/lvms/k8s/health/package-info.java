/** Health, readiness and metrics of a process over HTTP. */
package lvms.k8s.health;
