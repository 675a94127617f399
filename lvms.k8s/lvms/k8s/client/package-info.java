/** Configuration, calls and watches of an API server. */
package lvms.k8s.client;
