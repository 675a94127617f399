/** Kubernetes' own tests of snapshots of several thick volumes. */
package lvms.tests.e2e.thickgroups;
