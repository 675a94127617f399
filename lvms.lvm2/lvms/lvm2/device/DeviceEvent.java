package lvms.lvm2.device;

/** What happened to the block devices of this machine. */
public sealed interface DeviceEvent {
    /**
     * A disk or partition appeared. Its node exists; what udev adds, such as links, follows some
     * milliseconds later.
     *
     * @param uevent what the kernel said
     */
    record Appeared(Uevent uevent) implements DeviceEvent {}

    /**
     * A device changed: size, medium, read-only state, name, or somebody wrote to it and closed it
     * while udevd watches.
     *
     * @param uevent what the kernel said
     */
    record Changed(Uevent uevent) implements DeviceEvent {}

    /**
     * A disk or partition is gone.
     *
     * @param uevent what the kernel said
     */
    record Vanished(Uevent uevent) implements DeviceEvent {}

    /**
     * Events were lost because they came faster than the listener took them: look at everything
     * again.
     */
    record Lost() implements DeviceEvent {}
}
