/**
 * Counters, gauges and histograms, and their Prometheus text.
 *
 * <p>Begin with {@link lvms.k8s.metrics.MetricsRegistry}, which gives families of them by name.
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
 * <p>It knows no summaries, no exemplars and no pushing.
 */
package lvms.k8s.metrics;
