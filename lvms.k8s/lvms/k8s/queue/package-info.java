/** A work queue that never gives a key to two workers at once. */
package lvms.k8s.queue;
