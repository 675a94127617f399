/** HTTP/1.1 over TLS on sockets, and the certificates for it. */
package lvms.k8s.testkit.http;
