/** Create, update, patch and delete: from the body that was sent to the object that is stored. */
package lvms.k8s.testkit.write;
