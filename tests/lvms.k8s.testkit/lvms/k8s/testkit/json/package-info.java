/** JSON trees: reading them strictly, finding places in them. */
package lvms.k8s.testkit.json;
