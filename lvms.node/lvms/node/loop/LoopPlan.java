package lvms.node.loop;

import lvms.api.listing.LoopDevice;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides what to do about a loop device that the node makes. A file that was there once is never
 * made anew: what was on it would be lost without a word.
 *
 * @param wish what the class asks for
 * @param file its file on the host
 * @param known whether the node status names the file, so that it was attached before
 * @param size size of the file; empty if there is none
 * @param device the device that has the file; empty if none has
 */
record LoopPlan(
        LoopDevice wish, Path file, boolean known, OptionalLong size, Optional<Path> device) {
    /** What to do. */
    sealed interface Step {
        /** It is there. */
        record Use(Path device) implements Step {}

        /** Give the file, which is there, a device. */
        record Attach() implements Step {}

        /** Make the file, then give it a device. */
        record Make(long bytes) implements Step {}

        /** Nothing; a person has to do something first. */
        record Refuse(String why) implements Step {}
    }

    Step next() {
        if (size.isEmpty()) {
            return known ? new Step.Refuse(gone()) : new Step.Make(wantedBytes());
        }
        if (!known && size.getAsLong() != wantedBytes()) {
            return new Step.Refuse(otherSize());
        }
        return device.<Step>map(Step.Use::new).orElseGet(Step.Attach::new);
    }

    /** A file keeps its size: a smaller one would cut the volume group off. */
    String note() {
        return size.isEmpty() || size.getAsLong() == wantedBytes()
                ? ""
                : "%s keeps its %d bytes, whatever the class says"
                        .formatted(file, size.getAsLong());
    }

    private long wantedBytes() {
        return (long) wish.sizeGb().orElse(0) << 30;
    }

    private String gone() {
        return ("its file %s is gone, and no new one is made in its place: put it back, mount its"
                        + " filesystem, or take the device out of the class")
                .formatted(file);
    }

    private String otherSize() {
        return ("there is a file %s of %d bytes, not of %d GiB: correct the size, or remove the"
                        + " file if nobody needs it")
                .formatted(file, size.getAsLong(), wish.sizeGb().orElse(0));
    }
}
