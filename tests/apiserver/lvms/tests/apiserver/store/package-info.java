/** Objects, their revisions and the changes between them. */
package lvms.tests.apiserver.store;
