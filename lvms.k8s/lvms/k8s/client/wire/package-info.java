/**
 * What is below a call's meaning: a request, its address and its time, the connections that it goes
 * over, and what of an answer may be shown. Knows no kinds of failures. Not exported.
 */
package lvms.k8s.client.wire;
