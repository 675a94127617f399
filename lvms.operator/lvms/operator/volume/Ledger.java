package lvms.operator.volume;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * What each node has free, minus what is reserved but not in the node's report yet.
 *
 * <p>Bytes are reserved before their LogicalVolume exists, and the reservation ends when the node's
 * report has fallen by its size. The report and the volume's status come over different watches, in
 * any order: a report that falls before the status is seen counts against the reservation too. If
 * the volume is there but no report ever showed its bytes, because a deletion elsewhere hid them,
 * its reservation ends after {@link #SETTLE}. Any thread may use it.
 */
final class Ledger {
    /** How long a confirmed volume may be missing from its node's report. */
    static final Duration SETTLE = Duration.ofSeconds(5);

    /** How long a reservation lasts if its object never appears: longer than any request. */
    static final Duration UNSEEN = Duration.ofMinutes(2);

    private final InstantSource clock;
    private final Map<Slot, Long> reported = new HashMap<>();
    private final Map<String, Reservation> reservations = new LinkedHashMap<>();
    private Consumer<Slot> listener = _ -> {};

    private static final class Reservation {
        private final Slot slot;
        private long bytes;
        private Instant ends; // null: as long as the node is at work
        private boolean confirmed;

        private Reservation(Slot slot, long bytes, Instant ends) {
            this.slot = slot;
            this.bytes = bytes;
            this.ends = ends;
        }
    }

    Ledger(InstantSource clock) {
        this.clock = clock;
    }

    /** Sets who is told of each slot whose free bytes may have changed; it must not block. */
    synchronized void onChange(Consumer<Slot> told) {
        listener = told;
    }

    /** Notes what a node says it has free. */
    synchronized void report(Slot slot, long bytes) {
        var before = reported.put(slot, bytes);
        listener.accept(slot);
        if (before != null && bytes < before) {
            redeem(slot, before - bytes);
        }
    }

    /** Forgets a node's class. */
    synchronized void forget(Slot slot) {
        reported.remove(slot);
    }

    /**
     * Returns what can still be reserved, in bytes; empty if the node does not report the class.
     */
    synchronized OptionalLong free(Slot slot) {
        dropExpired();
        var bytes = reported.get(slot);
        return bytes == null
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, bytes - reserved(slot)));
    }

    /** Reserves bytes if there are that many; it replaces a reservation of the same name. */
    synchronized boolean reserve(String name, Slot slot, long bytes) {
        var former = reservations.remove(name);
        if (free(slot).orElse(-1) >= bytes) {
            reservations.put(name, new Reservation(slot, bytes, clock.instant().plus(UNSEEN)));
            listener.accept(slot);
            return true;
        }
        if (former != null) {
            reservations.put(name, former);
        }
        return false;
    }

    /** Keeps a reservation while the node works on its object; makes one for others' objects. */
    synchronized void hold(String name, Slot slot, long bytes) {
        var reservation = reservations.get(name);
        if (reservation == null) {
            reservations.put(name, new Reservation(slot, bytes, null));
            listener.accept(slot);
        } else {
            reservation.ends = null;
            reservation.confirmed = false;
        }
    }

    /** Notes that the volume is there; the reservation stays until the report shows its bytes. */
    synchronized void confirm(String name) {
        var reservation = reservations.get(name);
        if (reservation != null && reservation.bytes <= 0) {
            reservations.remove(name);
        } else if (reservation != null && reservation.ends == null) {
            reservation.ends = clock.instant().plus(SETTLE);
            reservation.confirmed = true;
        }
    }

    /** Releases the reservation: there will be no such volume. */
    synchronized void release(String name) {
        var reservation = reservations.remove(name);
        if (reservation != null) {
            listener.accept(reservation.slot);
        }
    }

    /** Returns whether bytes of a slot are reserved. */
    synchronized boolean reserves(Slot slot) {
        return reserved(slot) > 0;
    }

    private long reserved(Slot slot) {
        long sum = 0;
        for (var reservation : reservations.values()) {
            if (reservation.slot.equals(slot)) {
                sum += reservation.bytes;
            }
        }
        return sum;
    }

    /** Counts a fall of the report against the reservations, confirmed ones first. */
    private void redeem(Slot slot, long fall) {
        dropExpired();
        long left = fall;
        var open = new ArrayList<Reservation>();
        for (var reservation : List.copyOf(reservations.entrySet())) {
            if (!reservation.getValue().slot.equals(slot)) {
                continue;
            }
            if (!reservation.getValue().confirmed) {
                open.add(reservation.getValue());
            } else {
                left = pay(reservation.getValue(), left);
                if (reservation.getValue().bytes == 0) {
                    reservations.remove(reservation.getKey());
                }
            }
        }
        for (var reservation : open) {
            left = pay(reservation, left); // stays with 0 bytes, or its object would reserve again
        }
    }

    private static long pay(Reservation reservation, long amount) {
        long paid = Math.min(reservation.bytes, amount);
        reservation.bytes -= paid;
        return amount - paid;
    }

    private void dropExpired() {
        var now = clock.instant();
        reservations
                .values()
                .removeIf(reservation -> reservation.ends != null && now.isAfter(reservation.ends));
    }
}
