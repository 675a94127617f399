/** The product in a real cluster, beside Kubernetes alone and LVM alone. */
package lvms.tests.bench.cluster;
