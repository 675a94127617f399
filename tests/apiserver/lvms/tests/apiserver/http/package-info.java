/** HTTP/1.1 over TLS on sockets, and the certificates for it. */
package lvms.tests.apiserver.http;
