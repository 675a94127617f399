/**
 * Faults on a real cluster with the shipped image and manifests: power cuts, kills, an API server
 * that is away, updates under load. After each, disk, objects and mounts have to agree.
 */
package lvms.tests.conformance.fault;
