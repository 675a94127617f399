/** Measures the processes of an image; run by {@code ./build.sh bench NAME}. */
package lvms.tests.bench;
