/** Our client beside fabric8 and client-go, each in a process of its own. */
package lvms.tests.bench.k8s;
