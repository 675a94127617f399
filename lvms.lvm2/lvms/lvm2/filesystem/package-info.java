/**
 * Mounts, the usage of filesystems, and locks on files: mount(2), mountinfo, statvfs(3), flock(2).
 *
 * <p>Begin with {@link lvms.lvm2.filesystem.Mounts}, which makes and ends mounts, and {@link
 * lvms.lvm2.filesystem.MountTable}, which says what is mounted where.
 *
 * {@snippet :
 * var target = Path.of("/mnt/data");
 * Mounts.mount(Path.of("/dev/vg1/data"), target, "ext4", Set.of(Mounts.Flag.NO_ATIME), "");
 * var mount = MountTable.read().at(target).orElseThrow();
 * System.out.println(mount.source() + " " + mount.options());
 * System.out.println(FilesystemUsage.of(target).availableBytes());
 * try (var lock = FileLock.tryLock(Path.of("/run/mine.lock")).orElseThrow()) {
 *     Mounts.unmount(target);
 * }
 * }
 *
 * <p>Nothing here makes, checks or resizes a filesystem: that takes its own programs, which {@link
 * lvms.lvm2.system.Program} runs.
 */
package lvms.lvm2.filesystem;
