package lvms.lvm2.instant;

import java.util.Optional;

/**
 * A thin snapshot that is to be taken anew, under its own number.
 *
 * @param pool device-mapper name of the device that is the thin pool
 * @param sourceId number of the source in the pool
 * @param id number of the snapshot in the pool; its device must not be active
 * @param source device-mapper name of the source; empty if it is not active, and so has no I/O
 */
public record ThinCopy(String pool, int sourceId, int id, Optional<String> source) {}
