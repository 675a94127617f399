/** Which LVMCluster is acceptable: pure functions, for the controller and for admission alike. */
package lvms.operator.cluster.rule;
