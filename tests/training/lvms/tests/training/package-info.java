/**
 * Runs each kind of process once with a typical load while the JVM records what it loads, so that
 * the image can carry an AOT cache for each.
 */
package lvms.tests.training;
