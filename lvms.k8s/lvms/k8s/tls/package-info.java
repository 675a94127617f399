/**
 * Certificates, their keys, and an authority that issues them.
 *
 * <p>Begin with {@link lvms.k8s.tls.Authority}:
 *
 * {@snippet :
 * var authority = Authority.make("my own", Duration.ofDays(7));
 * var server = authority.server("web", List.of("web.default.svc"), List.of());
 * server.save(Path.of("/tls"), "tls"); // tls.crt and tls.key
 * System.out.println(authority.pem());
 * }
 *
 * <p>It does only ECDSA on P-256; no revocation, no signing requests.
 */
package lvms.k8s.tls;
