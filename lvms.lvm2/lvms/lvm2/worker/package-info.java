/**
 * The child process that loads LVM's library, so that the server never does. {@link
 * lvms.lvm2.worker.WorkerMain} is its main class, {@link lvms.lvm2.worker.Frames} its protocol.
 */
package lvms.lvm2.worker;
