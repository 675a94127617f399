/** Events that tell people what happened to an object. */
package lvms.k8s.event;
