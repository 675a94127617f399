/**
 * LVM for any JVM program: volume groups, thin pools, volumes, snapshots and RAID as typed calls.
 *
 * <p>Begin with {@link lvms.lvm2.Lvm}: it has a view for each kind of object, and {@code
 * limitedTo(DeviceScope)} limits its commands to your devices. A request is a record, such as
 * {@link lvms.lvm2.NewThinVolume}, which checks its arguments when it is made. A failure is one
 * kind of {@link lvms.lvm2.LvmException}, and each kind is something that a caller can act on.
 *
 * {@snippet :
 * var disks = List.of(Path.of("/dev/sdb"), Path.of("/dev/sdc"));
 * try (var all = LvmCommands.open(LvmOptions.defaults())) {
 *     var lvm = all.limitedTo(DeviceScope.only(disks));
 *     lvm.groups().create(new NewVolumeGroup("vg1", disks, Set.of("mine")));
 *     var pool = new LvName("vg1", "pool");
 *     lvm.pools().create(new NewThinPool(pool, new PoolSize.PercentOfFree(90)));
 *     var data = new LvName("vg1", "data");
 *     var volume = lvm.volumes().createThin(new NewThinVolume(data, "pool", 10L << 30, Set.of()));
 *     volume = lvm.volumes().extend(volume.identity(), 20L << 30);
 *     System.out.println(volume.path() + " has " + volume.sizeBytes() + " bytes");
 * }
 * }
 *
 * <p>Every change may be repeated: after a failure, or a crash in the middle, the same call finds
 * what is done and does the rest. Sizes are {@code long} bytes everywhere.
 *
 * <p>This is a library. About half of the operations (moves, merges, conversions between RAID
 * levels, imports, checks of a pool's metadata) have no caller in lvms itself; they are tested like
 * the others.
 *
 * <p>What this package leaves to others: {@link lvms.lvm2.command} opens an {@code Lvm}; {@link
 * lvms.lvm2.plan} says how large a volume could be; {@link lvms.lvm2.device} says whether a device
 * is free. No filesystem is made, grown or checked here. A volume's tags say who owns it, to
 * whoever wrote them.
 */
package lvms.lvm2;
