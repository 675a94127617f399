/** Who owns which fields: managed fields and server-side apply. */
package lvms.tests.apiserver.fields;
