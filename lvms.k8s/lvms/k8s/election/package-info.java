/** Leader election on a Lease. */
package lvms.k8s.election;
