/** Kubernetes' own tests of volumes that are modified. */
package lvms.tests.e2e.modify;
