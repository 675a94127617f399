/**
 * Makes, grows and removes the logical volumes of this node: those that LogicalVolume objects ask
 * for, and those that clients of lvmd ask for.
 *
 * <p>{@link lvms.node.volume.VolumeController} runs the passes for objects. A pass decides with a
 * pure function, acts through LVM's idempotent calls, and writes one status. It can be interrupted
 * anywhere: the next one finds what is there by its final name. {@link
 * lvms.node.volume.VolumeOperations} are the changes themselves, and {@link
 * lvms.node.volume.GroupLedgers} keeps what was read of each group and what is reserved in it, so
 * that a burst of volumes asks LVM for nothing but the volumes.
 */
package lvms.node.volume;
