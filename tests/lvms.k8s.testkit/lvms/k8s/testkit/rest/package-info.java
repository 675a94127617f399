/** How a request is routed: its path, its user, the verb that answers it. */
package lvms.k8s.testkit.rest;
