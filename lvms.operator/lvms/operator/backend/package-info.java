/**
 * What the volumes of a driver are made of, as the controllers of claims see it: logical volumes,
 * or whole devices. The controllers are the same for all; a {@link
 * lvms.operator.backend.VolumeBackend} is the part that differs.
 *
 * <pre>{@code
 * var backends = Backends.of(volumeServices);
 * var backend = backends.named("topolvm.io").orElseThrow();
 * if (backend.create(request) instanceof Progress.Converged<BegunVolume>(var volume)) {
 *     // its PersistentVolume can be written
 *     backend.unmark(volume);
 * }
 * }</pre>
 *
 * <p>{@link lvms.operator.backend.LogicalVolumeBackend} is over a {@code VolumeService}; raw
 * devices are in {@code lvms.operator.rawdevice}. What only logical volumes can, such as growth and
 * snapshots, is not here.
 */
package lvms.operator.backend;
