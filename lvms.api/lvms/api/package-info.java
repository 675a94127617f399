/**
 * What the operator and the node agent say to each other: our custom resources as records, and
 * every name that the cluster sees.
 *
 * <p>Begin with {@link lvms.api.LvmCluster} (what an administrator asks for), {@link
 * lvms.api.LogicalVolume} (one volume or snapshot on one node: the operator writes its spec, the
 * node its status) and {@link lvms.api.Driver} (a CSI driver, and every name that is made from its
 * name). {@link lvms.api.Names} has the names that do not depend on a driver; {@link
 * lvms.api.StatusCode} says why a volume operation failed, on the wire and in a status.
 *
 * <pre>{@code
 * var spec = new LogicalVolume.Spec("data", "n1", Quantity.parse("1Gi"), "ssd", "", "", "");
 * for (var driver : Drivers.of(Driver.TOPOLVM, Driver.LEGACY).all()) {
 *     kube.create(driver.logicalVolumes(), LogicalVolume.create(driver, spec, Map.of()));
 *     for (var object : kube.list(driver.logicalVolumes(), ListOptions.all())) {
 *         var volume = LogicalVolume.tolerant(object);
 *         if (volume.state() == LogicalVolume.State.FAILED) {
 *             throw new VolumeException(volume.status().code(), volume.status().message());
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>The records are views: a record is read from an object, keeps the object, and ignores the
 * fields that it does not know. They check types, not rules: whether an LVMCluster may be accepted
 * is decided in {@code lvms.operator.cluster.rule}. Nothing here sends a request, and nothing here
 * knows LVM.
 */
package lvms.api;
