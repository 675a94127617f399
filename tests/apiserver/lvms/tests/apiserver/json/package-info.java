/** JSON trees: reading them strictly, finding places in them. */
package lvms.tests.apiserver.json;
