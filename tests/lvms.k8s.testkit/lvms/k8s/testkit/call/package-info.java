/** One request: who asks, for what, what was sent, and how it is refused. */
package lvms.k8s.testkit.call;
