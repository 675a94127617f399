/** The subset of the Common Expression Language that definitions here use. */
package lvms.tests.apiserver.cel;
