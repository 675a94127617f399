/** Kubernetes' own tests of snapshots of several thin volumes. */
package lvms.tests.e2e.groups;
