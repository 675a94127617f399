/** What an LVMCluster consists of: one reconcile unit for each kind of object. */
package lvms.operator.unit;
