/**
 * The two ways to run a command of LVM: in a worker process with its library, or by its program.
 */
package lvms.lvm2.engine;
