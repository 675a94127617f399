/** The resources: built-in ones with their rules, and those of definitions. */
package lvms.k8s.testkit.kinds;
