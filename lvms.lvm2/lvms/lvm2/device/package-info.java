/**
 * Block devices and the device-mapper, read from sysfs and procfs or by system calls: what is
 * there, whether it is free, and what happens to it.
 *
 * <p>Begin with {@link lvms.lvm2.device.DeviceExaminer}, which proves that a device is free or says
 * why not, and with {@link lvms.lvm2.device.DeviceMapper}, which knows the state of a volume
 * without a process, an LVM lock or a flush.
 *
 * {@snippet :
 * for (var disk : DeviceExaminer.system().all(device -> device.type() == DeviceType.DISK)) {
 *     var path = disk.device().path();
 *     disk.obstacles().forEach(why -> System.out.println(path + ": " + why.text()));
 * }
 * var pool = DeviceMapper.system().thinPool(new LvName("vg1", "pool"));
 * pool.ifPresent(use -> System.out.println(use.dataUse()));
 * try (var disks = DeviceEvents.start(System.out::println);
 *         var volumes = DeviceMapperEvents.start(event -> System.out.println(event.name()))) {
 *     Thread.sleep(Duration.ofMinutes(1));
 * }
 * }
 *
 * <p>A proof holds only for that moment: {@link lvms.lvm2.device.DeviceClaim} makes it last, and
 * {@link lvms.lvm2.device.DeviceWipe} claims the device before it writes.
 *
 * <p>{@link lvms.lvm2.Lvm} changes LVM's volumes, and {@link lvms.lvm2.filesystem} handles mounts.
 * The caller must know whether the content of a device may be lost.
 */
package lvms.lvm2.device;
