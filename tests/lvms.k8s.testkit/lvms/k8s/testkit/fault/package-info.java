/** What tests do to requests and watches, kept until the server meets them. */
package lvms.k8s.testkit.fault;
