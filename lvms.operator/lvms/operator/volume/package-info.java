/**
 * Volumes and snapshots as LogicalVolume objects: sizes, placement, reservations, and the passes
 * that bring one volume closer to what was asked for.
 *
 * <p>Begin with {@link lvms.operator.volume.VolumeService}, the core behind the controllers and the
 * CSI socket; {@link lvms.operator.volume.VolumeServices} has one for each driver. An operation is
 * a pass that never waits for a node: it takes the next step and says in {@link
 * lvms.operator.volume.Progress} whether one is left.
 *
 * <pre>{@code
 * var service = services.of(Driver.TOPOLVM);
 * var request =
 *         new VolumeRequest(
 *                 "pvc-1",
 *                 CapacityRange.atLeast(1L << 30),
 *                 new Access.Mount("xfs"),
 *                 "ssd", // device class
 *                 "", // option class
 *                 Optional.empty(),
 *                 VolumeAttributes.NONE,
 *                 Placement.on("n1"),
 *                 Map.of());
 * var volume = service.await("pvc-1", Duration.ofMinutes(1), () -> service.create(request));
 * }</pre>
 *
 * <p>What a claim or a gRPC call means is read elsewhere ({@code provision}, {@code csi}); the node
 * makes the logical volume.
 */
package lvms.operator.volume;
