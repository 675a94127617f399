/** The child process that holds LVM's library, so that the server never does. */
package lvms.lvm2.worker;
