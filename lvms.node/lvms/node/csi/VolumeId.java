package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;

import java.util.regex.Pattern;

/**
 * A volume id that can be the name of a logical volume, so it is safe in a path below /dev and in
 * LVM's arguments.
 *
 * <p>Source: lvm(8), valid names; 127 characters is LVM's limit for a name.
 *
 * @param text the id as the caller sent it
 */
public record VolumeId(String text) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.+][A-Za-z0-9_.+-]{0,126}");

    /**
     * Reads the id of a request. No volume can have an id that LVM cannot hold, so such an id is
     * reported as unknown. csi-sanity expects the same for its made-up ids.
     */
    static VolumeId of(String text) throws VolumeException {
        if (text.isEmpty()) {
            throw new VolumeException(StatusCode.INVALID_ARGUMENT, "volume_id is missing");
        }
        if (!isName(text)) {
            throw new VolumeException(
                    StatusCode.NOT_FOUND, "no volume has the id " + Quoted.of(text));
        }
        return new VolumeId(text);
    }

    private static boolean isName(String text) {
        return NAME.matcher(text).matches() && !text.equals(".") && !text.equals("..");
    }

    @Override
    public String toString() {
        return text;
    }
}
