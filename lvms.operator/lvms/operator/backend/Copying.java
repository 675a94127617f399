package lvms.operator.backend;

import lvms.api.VolumeException;
import lvms.operator.volume.VolumeRequest;

/** How volumes of a driver are copied. */
public interface Copying {
    /** Returns the id of what a copy that was begun is made of, empty if that is gone. */
    String sourceId(BegunVolume copy);

    /**
     * Returns how large the volume of a request will be, in bytes.
     *
     * @throws VolumeException as its creation would
     */
    long bytes(VolumeRequest request) throws VolumeException;
}
