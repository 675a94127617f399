/** Objects, their revisions and the changes between them. */
package lvms.k8s.testkit.store;
