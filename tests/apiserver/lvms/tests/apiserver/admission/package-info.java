/** Admission by others: webhooks, and policies that are evaluated here. */
package lvms.tests.apiserver.admission;
