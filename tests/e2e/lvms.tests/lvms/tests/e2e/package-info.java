/**
 * Kubernetes' own tests of storage, {@code External Storage} of its program {@code e2e.test}, with
 * this driver in a real cluster of the lab.
 *
 * <p>Begin with {@link lvms.tests.e2e.ExternalStorage}. A class of each package below it declares
 * what one kind of volume can do, and the suite tests all that is declared.
 *
 * <pre>
 * ./build.sh test --full --layer e2e                          # thin and thick
 * ./build.sh test --full --layer e2e --focus snapshot thin
 * </pre>
 */
package lvms.tests.e2e;
