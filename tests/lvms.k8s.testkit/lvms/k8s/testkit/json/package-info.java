/** JSON trees: reading them strictly, finding places in them, and interpreting scalar texts. */
package lvms.k8s.testkit.json;
