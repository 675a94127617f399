/**
 * JSON trees: reading them strictly, finding places in them, and the values that texts stand for.
 */
package lvms.k8s.testkit.json;
