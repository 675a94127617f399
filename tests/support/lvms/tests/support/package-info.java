/** What tests of several layers share and what needs no server. */
package lvms.tests.support;
