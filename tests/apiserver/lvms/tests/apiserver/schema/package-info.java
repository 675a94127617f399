/** Schemas of built-in types and custom resources, and the checks they stand for. */
package lvms.tests.apiserver.schema;
