/** The build compiles what changed, and nothing stale ever runs. */
package lvms.tests.build;
