/** Counters, gauges and histograms, and their Prometheus text. */
package lvms.k8s.metrics;
