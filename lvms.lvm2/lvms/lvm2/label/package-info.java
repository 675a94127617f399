/**
 * What a disk says of itself, read from the disk without LVM, which may not list it.
 *
 * <p>Begin with {@link lvms.lvm2.label.PvLabel}, which reads LVM's label and metadata, and {@link
 * lvms.lvm2.label.DeviceData}, which tells whether there is anything at all.
 *
 * {@snippet :
 * var disk = Path.of("/dev/sdb");
 * var label = PvLabel.read(disk);
 * System.out.println(label.uuid().isEmpty() ? "no physical volume" : label.uuid());
 * label.group().ifPresent(group -> System.out.println("in the group " + group.name()));
 * }
 *
 * <p>Nothing here writes, and nothing looks at another device: a group that lies on several disks
 * is known only as far as this one's metadata goes.
 */
package lvms.lvm2.label;
