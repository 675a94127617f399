/**
 * Volumes for claims: provisioning, reclaiming, and the protection of what volumes are copied from.
 */
package lvms.operator.provision;
