/** The two ways to run a command of LVM, and the choice between them. */
package lvms.lvm2.engine;
