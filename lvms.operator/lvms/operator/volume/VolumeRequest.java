package lvms.operator.volume;

import lvms.api.attribute.VolumeAttributes;

import java.util.Map;
import java.util.Optional;

/**
 * A volume that somebody wants.
 *
 * @param name key of the request: the same name means the same volume
 * @param range accepted sizes
 * @param access how pods will see it
 * @param deviceClass device class, empty for the default one
 * @param optionClass class of lvcreate options, empty for none
 * @param origin where its content comes from
 * @param attributes what it has to have from the start
 * @param placement which nodes may get it
 * @param annotations annotations of the new object
 */
public record VolumeRequest(
        String name,
        CapacityRange range,
        Access access,
        String deviceClass,
        String optionClass,
        Optional<Origin> origin,
        VolumeAttributes attributes,
        Placement placement,
        Map<String, String> annotations) {
    /** Keeps a private copy. */
    public VolumeRequest {
        annotations = Map.copyOf(annotations);
    }
}
