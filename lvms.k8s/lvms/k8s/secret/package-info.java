/**
 * What is read from files that may be replaced while a process runs: keys, certificates, tokens.
 * Not exported.
 */
package lvms.k8s.secret;
