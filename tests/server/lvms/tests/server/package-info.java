/** The choice of an API server for the tests that need one. */
package lvms.tests.server;
