/** What the product costs in a cluster with many volumes; run by {@code ./build.sh bench scale}. */
package lvms.tests.bench.scale;
