/**
 * Certificates for tests: an authority, and what it issues to servers and users.
 *
 * <p>Begin with {@link lvms.k8s.tls.Authority}: {@code Authority.make("CN")} makes one in a few
 * milliseconds, {@code server} and {@code client} issue a {@link lvms.k8s.tls.CertifiedKey} with
 * its chain and key, and {@code expiredServer} one that expired an hour ago. {@link
 * lvms.k8s.testkit.tls.Certificates} is the short form for a test server, such as a webhook's:
 *
 * {@snippet :
 * var loopback = InetAddress.getLoopbackAddress();
 * var certificates = Certificates.make(List.of("webhook.default.svc"), List.of(loopback));
 * var webhook = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
 * webhook.setHttpsConfigurator(new HttpsConfigurator(certificates.serverContext()));
 * server.routeService("default", "webhook", webhook.getAddress());
 * // certificates.caPem() is the caBundle of the webhook's configuration
 * }
 *
 * <p>It does only ECDSA on P-256; no revocation, no signing requests.
 */
package lvms.k8s.testkit.tls;
