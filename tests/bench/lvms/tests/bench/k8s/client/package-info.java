/** A client that is measured: what it says of itself, and ours. */
package lvms.tests.bench.k8s.client;
