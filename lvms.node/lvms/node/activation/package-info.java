/**
 * Activates volumes for callers that come at once: {@link lvms.node.activation.Activations} asks
 * LVM for many volumes with one command.
 */
package lvms.node.activation;
