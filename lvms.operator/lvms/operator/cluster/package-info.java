/** Controllers of LVMCluster, and of what happens to nodes, claims and volumes around it. */
package lvms.operator.cluster;
