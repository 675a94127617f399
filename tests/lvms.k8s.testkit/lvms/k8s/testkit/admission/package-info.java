/** Configured admission: webhooks, and policies that are evaluated here. */
package lvms.k8s.testkit.admission;
