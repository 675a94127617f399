/**
 * Serving over HTTP/1.1, plain or with TLS, within bounds on what clients may cost.
 *
 * <p>Begin with {@link lvms.k8s.serving.HttpListener}.
 *
 * {@snippet :
 * var tls = ServerTls.ofFolder(Path.of("/tls"), () -> TlsBounds.DEFAULT);
 * var gate = TokenGate.of(kube);
 * var page = gate.before(_ -> HttpAnswer.text(200, "three volumes"));
 * var address = new InetSocketAddress(8443);
 * try (var server = HttpListener.start(address, Limits.CALLERS, Optional.of(tls), page)) {
 *     work();
 * }
 * }
 *
 * <p>A certificate that is replaced is served without a restart.
 */
package lvms.k8s.serving;
