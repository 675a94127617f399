/**
 * The content of logical volumes that nobody has, or nobody has yet: erased, or filled with that of
 * another volume, through devices that are held exclusively.
 *
 * <p>Begin with {@link lvms.lvm2.content.DeviceErasure} and {@link lvms.lvm2.content.DeviceCopy}.
 *
 * {@snippet :
 * var uuid = "aXKSPL-eeSr-zBnq-Iioz-GoXk-E9xV-iVi8eY"; // as LVM prints it
 * try (var device = DeviceErasure.claim(Path.of("/dev/vg1/old"), uuid)) {
 *     device.zero(0, device.sizeBytes());
 *     device.flush();
 * }
 * }
 *
 * <p>The caller must know that nobody needs what is there.
 */
package lvms.lvm2.content;
