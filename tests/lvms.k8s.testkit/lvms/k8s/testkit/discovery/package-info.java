/** What clients learn about the server: its groups, versions, kinds and schemas. */
package lvms.k8s.testkit.discovery;
