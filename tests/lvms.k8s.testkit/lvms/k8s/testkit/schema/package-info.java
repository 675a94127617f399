/** Schemas of built-in types and custom resources, and the checks they stand for. */
package lvms.k8s.testkit.schema;
