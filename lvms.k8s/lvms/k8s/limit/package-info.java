/** Work that must not keep its caller waiting for ever. */
package lvms.k8s.limit;
