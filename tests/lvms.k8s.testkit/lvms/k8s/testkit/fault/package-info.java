/** What tests do to requests and watches, kept until the server applies it. */
package lvms.k8s.testkit.fault;
