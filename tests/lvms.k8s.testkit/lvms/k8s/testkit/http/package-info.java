/** HTTP/1.1 over TLS, on sockets. */
package lvms.k8s.testkit.http;
