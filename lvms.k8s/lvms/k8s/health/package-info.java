/**
 * Health, readiness and metrics of a process over HTTP.
 *
 * <p>Begin with {@link lvms.k8s.health.HealthServer} and {@link lvms.k8s.health.Check}.
 *
 * {@snippet :
 * var ready = List.of(new Check("informers", claims::synced));
 * var address = new InetSocketAddress(8081);
 * try (var server = HealthServer.start(address, List.of(Check.PING), ready)) {
 *     work();
 * }
 * }
 *
 * <p>It serves plain HTTP without authentication: bind metrics to loopback, or protect them
 * otherwise.
 */
package lvms.k8s.health;
