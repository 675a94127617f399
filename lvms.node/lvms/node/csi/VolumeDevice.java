package lvms.node.csi;

import lvms.lvm2.system.DeviceNumber;

import java.nio.file.Path;

/**
 * The active block device of a volume.
 *
 * @param node its device node
 * @param number its number, by which mounts are recognised
 * @param sizeBytes its size
 * @param readOnly whether the device itself is read-only
 */
public record VolumeDevice(Path node, DeviceNumber number, long sizeBytes, boolean readOnly) {}
