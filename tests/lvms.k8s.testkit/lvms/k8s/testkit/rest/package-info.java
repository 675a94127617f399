/** The verbs of the API, from the request to the store and back. */
package lvms.k8s.testkit.rest;
