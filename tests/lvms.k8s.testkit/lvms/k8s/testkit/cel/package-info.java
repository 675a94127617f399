/** The subset of the Common Expression Language that the definitions here use. */
package lvms.k8s.testkit.cel;
