/** The controllers that run in the server: garbage collection, namespaces, definitions. */
package lvms.k8s.testkit.control;
