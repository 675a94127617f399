/**
 * A predecessor that runs in the real cluster is taken over, and given back to it; or its manifests
 * run our programs.
 */
package lvms.tests.conformance.takeover;
