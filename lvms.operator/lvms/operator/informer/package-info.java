/**
 * What the operator follows: one cache for each type, trimmed to what somebody reads.
 *
 * <p>Begin with {@link lvms.operator.informer.OperatorInformers}. Everything in the process reads
 * from the one set, whichever driver it serves, and tests run on the same set:
 *
 * <pre>{@code
 * var informers = OperatorInformers.of(kube, Drivers.DEFAULT, "lvms-system");
 * informers.all().forEach(Informer::start);
 * informers.everyLogicalVolume().map(LogicalVolume::name).forEach(System.out::println);
 * }</pre>
 *
 * <p>{@code Trim} says what a cache keeps: before you read another field, see whether it is still
 * there. VolumeSnapshotContents, CSIStorageCapacities and the CRDs behind them have one reader
 * each, which keeps its own informer.
 */
package lvms.operator.informer;
