/** The two ways to run an LVM command: a worker process with LVM's library, or LVM's program. */
package lvms.lvm2.engine;
