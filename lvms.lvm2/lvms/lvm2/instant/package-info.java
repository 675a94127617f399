/**
 * Snapshots of one instant: the I/O of several devices waits while the kernel takes them.
 *
 * <p>Begin with {@link lvms.lvm2.instant.SameInstant}. {@link lvms.lvm2.instant.HeldDevices} sees
 * to it that no I/O waits for longer than was agreed.
 *
 * {@snippet :
 * var copy = new ThinCopy("vg1-pool-tpool", 1, 7, Optional.of("vg1-data"));
 * try (var held = new HeldDevices(Duration.ofSeconds(10))) {
 *     new SameInstant(List.of(copy)).take(held, List.of());
 * }
 * }
 *
 * <p>What becomes of devices whose process was killed is up to the caller, who notes beforehand
 * that they are about to be held, and has a watchdog for it ({@code lvms.lvm2.watchdog}).
 */
package lvms.lvm2.instant;
