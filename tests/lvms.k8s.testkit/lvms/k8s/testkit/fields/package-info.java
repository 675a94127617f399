/** Who owns which fields: managed fields and server-side apply. */
package lvms.k8s.testkit.fields;
