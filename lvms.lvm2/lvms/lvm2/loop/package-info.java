/**
 * Loop devices: files as disks.
 *
 * <p>{@link lvms.lvm2.loop.LoopDevices} attaches a file, finds the device that has it, and detaches
 * it.
 *
 * {@snippet :
 * var disk = LoopDevices.attach(Path.of("/var/disk.img"));
 * System.out.println(LoopDevices.find(Path.of("/var/disk.img")).equals(Optional.of(disk)));
 * LoopDevices.detach(disk);
 * }
 *
 * <p>Nothing here makes or removes the files.
 */
package lvms.lvm2.loop;
