/** Mounts, the usage of filesystems, and locks on files. */
package lvms.lvm2.filesystem;
