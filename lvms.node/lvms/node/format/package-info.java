/**
 * Keeps copies of a volume and the making of its filesystem apart. While mkfs runs, a volume is
 * neither blank nor a filesystem, and a copy that was taken then would be so for ever: nobody can
 * tell it from one with data, so it gets no filesystem either.
 *
 * <p>{@link lvms.node.format.Formats} is shared by all that publishes volumes and all that copies
 * them in a process:
 *
 * <pre>{@code
 * try (var format = formats.begin("vol-1")) { // waits for copies that are being taken
 *     format.make(() -> Tools.run(mkfs)); // noted until it is done
 * }
 *
 * try (var _ = formats.copying(List.of("vol-1"))) { // throws BeingFormatted instead of waiting
 *     lvm.snapshots().createThin(request);
 * }
 * }</pre>
 *
 * <p>What is proven before a filesystem is made is in {@code lvms.node.proof}, who makes it in
 * {@code lvms.node.csi}.
 */
package lvms.node.format;
