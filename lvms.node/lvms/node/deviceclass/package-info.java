/**
 * The device classes that a node serves, and lvmd.yaml, the file that keeps them. A device class is
 * a name that StorageClasses use for a volume group, or for a thin pool in one, and for the way in
 * which volumes are made there.
 *
 * <p>Begin with {@link lvms.node.deviceclass.NodeDeviceClass} (one class), {@link
 * lvms.node.deviceclass.DeviceClasses} (all of them at one moment) and {@link
 * lvms.node.deviceclass.LiveDeviceClasses}, which tells listeners when they change.
 *
 * <pre>{@code
 * var config = new LvmdConfigFile(LvmdConfigFile.PATH).read().orElseGet(LvmdConfig::empty);
 * var reading = config.read();
 * reading.problems().forEach(System.err::println); // entries that cannot be used
 *
 * var live = LiveDeviceClasses.of(reading.classes());
 * live.onChange(() -> System.out.println(live.current().classes()));
 * var deviceClass = live.current().find("").orElseThrow(); // the default class
 * var room = deviceClass.largestBytes(report, AllocationSettings.DEFAULTS);
 * }</pre>
 *
 * <p>The package also knows what an LVMVolumeGroup asks of a node ({@link
 * lvms.node.deviceclass.VolumeGroupGoal}) and writes that into the file, leaving what a person
 * edited. {@code lvms.node.vgmanager} makes the volume groups, and {@code lvms.node.volume} makes
 * the volumes.
 */
package lvms.node.deviceclass;
