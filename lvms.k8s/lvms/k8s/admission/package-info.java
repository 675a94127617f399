/**
 * Webhooks: what the API server asks before it takes an object (AdmissionReview v1).
 *
 * <p>Begin with an {@link lvms.k8s.admission.Admission}, which judges one kind of object; {@link
 * lvms.k8s.admission.AdmissionPages} serves several, each under its path.
 *
 * {@snippet :
 * Admission shortNames =
 *         request ->
 *                 request.object().orElseThrow().name().length() > 20
 *                         ? AdmissionAnswer.denied("the name is too long", List.of())
 *                         : AdmissionAnswer.allowed();
 * var service = ObjectKey.of("default", "webhook");
 * var asked = List.of(WebhookConfiguration.validating("names"));
 * var certificate = WebhookCertificate.start(kube, service, asked);
 * var key = new CurrentKey(() -> Optional.of(certificate.current()));
 * var tls = ServerTls.of(key, () -> TlsBounds.DEFAULT);
 * var pages = new AdmissionPages(Map.of("/names", shortNames));
 * HttpListener.start(new InetSocketAddress(9443), Limits.REVIEWS, Optional.of(tls), pages);
 * }
 *
 * <p>Conversion webhooks are not served.
 */
package lvms.k8s.admission;
