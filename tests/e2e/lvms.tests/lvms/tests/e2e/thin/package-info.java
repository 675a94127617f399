/** Kubernetes' own tests with thin volumes. */
package lvms.tests.e2e.thin;
