package lvms.lvm2.device;

import lvms.lvm2.ffi.Blkid;
import lvms.lvm2.ffi.Fd;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What libblkid's answer means for whoever wants to use the device. */
final class SignatureProbe {
    private SignatureProbe() {}

    /** Probes what an open descriptor refers to; {@code name} is for messages. */
    static Signatures of(Fd fd, String name) throws IOException {
        return switch (Blkid.probe(fd, name)) {
            case Blkid.Result.Nothing() -> new Signatures.Blank();
            case Blkid.Result.Values(var values) -> found(values);
            case Blkid.Result.Ambivalent(var types) -> new Signatures.Ambivalent(types);
        };
    }

    private static Signatures found(Map<String, String> values) {
        var table = Optional.ofNullable(values.get("PTTYPE"));
        var type = values.get("TYPE");
        if (type == null && table.isEmpty()) {
            // a signature without a type; the device is not blank, whoever wrote it
            return new Signatures.Ambivalent(List.of("unknown"));
        }
        return new Signatures.Found(Optional.ofNullable(type).map(_ -> signature(values)), table);
    }

    private static Signatures.Signature signature(Map<String, String> values) {
        return new Signatures.Signature(
                values.get("TYPE"),
                values.getOrDefault("USAGE", ""),
                values.getOrDefault("VERSION", ""),
                values.getOrDefault("LABEL", ""),
                values.getOrDefault("UUID", ""));
    }
}
