/** Kubernetes' own tests with thick volumes. */
package lvms.tests.e2e.thick;
