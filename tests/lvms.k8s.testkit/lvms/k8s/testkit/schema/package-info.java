/** Schemas of built-in types and custom resources, and the checks they imply. */
package lvms.k8s.testkit.schema;
