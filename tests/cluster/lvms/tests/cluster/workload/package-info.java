/** The product in a real cluster, and what its users have there: claims, pods, snapshots. */
package lvms.tests.cluster.workload;
