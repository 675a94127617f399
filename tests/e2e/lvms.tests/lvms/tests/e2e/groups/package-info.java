/** Kubernetes' own tests of snapshots of several volumes. */
package lvms.tests.e2e.groups;
