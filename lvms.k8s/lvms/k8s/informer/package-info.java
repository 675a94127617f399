/** Caches of API objects that follow the server. */
package lvms.k8s.informer;
