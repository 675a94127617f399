/**
 * Bodies of answers, read with a limit of time for each read, and what they have to be. Knows no
 * request.
 */
package lvms.k8s.client.body;
