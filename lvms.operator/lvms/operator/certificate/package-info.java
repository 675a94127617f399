/**
 * Certificates that the operator makes itself, for clusters that have nobody else to do it.
 *
 * <p>{@link lvms.operator.certificate.MetricsCertificates} keeps them in two Secrets:
 *
 * {@snippet :
 * var mounted = Path.of("/tmp/k8s-metrics-server/serving-certs");
 * try (var certificates = new MetricsCertificates(kube, "lvms-system", mounted)) {
 *     certificates.start();
 *     Thread.sleep(Duration.ofHours(1));
 * }
 * }
 *
 * <p>Whoever serves reads the certificate from the mounted Secret and does not know who made it.
 * The webhooks' certificate is in memory, {@code WebhookCertificate}.
 */
package lvms.operator.certificate;
