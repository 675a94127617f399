/**
 * What goes around a request: its address, its time, and what of an answer may be shown. Knows no
 * connection. Not exported.
 */
package lvms.k8s.client.wire;
