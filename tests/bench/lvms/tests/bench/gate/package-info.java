/**
 * Compares the ratios of a run with those that were recorded; run by {@code ./build.sh bench all
 * --quick}.
 *
 * <p>A benchmark hands its ratios over as {@link lvms.tests.bench.gate.Ratios}, besides its table.
 * {@link lvms.tests.bench.gate.Recorded} is the file with what they were, and with the goals;
 * {@link lvms.tests.bench.gate.Comparison} is both side by side.
 */
package lvms.tests.bench.gate;
