/**
 * A hundred nodes without a hundred machines: a real API server, controller manager, scheduler and
 * operator, and node agents over LVMs in memory. What is measured is everything but LVM, kubelet
 * and the disks.
 */
package lvms.tests.bench.fleet;
