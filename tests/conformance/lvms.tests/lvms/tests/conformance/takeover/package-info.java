/** A predecessor that runs in the real cluster is taken over, and given back to it. */
package lvms.tests.conformance.takeover;
