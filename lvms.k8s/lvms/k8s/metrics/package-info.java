/**
 * Counters, gauges and histograms, and their Prometheus text.
 *
 * <p>Begin with {@link lvms.k8s.metrics.MetricsRegistry}, which gives families of metrics by name.
 *
 * {@snippet :
 * var metrics = new MetricsRegistry();
 * var failures = metrics.counter("my_failures_total", "Failed passes.", "reason");
 * failures.with("timeout").increment();
 * try (var server = HealthServer.metrics(new InetSocketAddress(8080), metrics)) {
 *     work();
 * }
 * }
 *
 * <p>{@link lvms.k8s.metrics.ProcessMetrics} adds what is known of the process and its JVM. A
 * process whose metrics nobody reads takes {@link lvms.k8s.metrics.MetricsRegistry#unread}.
 *
 * <p>There are no quantiles, exemplars or pushing.
 */
package lvms.k8s.metrics;
