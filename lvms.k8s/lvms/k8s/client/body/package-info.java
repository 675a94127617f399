/** Bodies of answers, read with a limit of time for each read. Knows no request. */
package lvms.k8s.client.body;
