/** How the records read and write the members of their objects; nobody else needs it. */
package lvms.api.field;
