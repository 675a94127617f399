/** Get, list and watch, and the forms in which objects are shown. */
package lvms.k8s.testkit.read;
