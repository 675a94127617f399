package lvms.lvm2;

import java.util.Optional;

/**
 * The ten characters of {@code lv_attr}, decoded; see lvs(8).
 *
 * @param text the ten characters themselves
 * @param type what kind of volume it is
 * @param permission whether it may be written
 * @param fixedMinor whether its device numbers are persistent
 * @param state state of its device
 * @param open whether its device is open
 * @param health first problem that the characters show, if any
 * @param skipActivation whether a plain activation skips it
 */
public record LvAttributes(
        String text,
        Type type,
        Permission permission,
        boolean fixedMinor,
        State state,
        Open open,
        Optional<LvHealth> health,
        boolean skipActivation) {

    /** Kind of volume, first character. */
    public enum Type {
        /** Cache volume or pool, or a volume with a cache. */
        CACHE('C'),
        MIRRORED('m'),
        /** Mirrored, without initial synchronization. */
        MIRRORED_NOT_SYNCED('M'),
        /** Origin of a classic snapshot. */
        ORIGIN('o'),
        /** Origin with a snapshot that is being merged. */
        ORIGIN_MERGING('O'),
        INTEGRITY('g'),
        RAID('r'),
        /** RAID, without initial synchronization. */
        RAID_NOT_SYNCED('R'),
        /** Classic snapshot. */
        SNAPSHOT('s'),
        /** Classic snapshot that is being merged. */
        SNAPSHOT_MERGING('S'),
        /** Temporary volume of a move. */
        PVMOVE('p'),
        VIRTUAL('v'),
        /** Image of a mirror or RAID. */
        IMAGE('i'),
        /** Image that is not in sync. */
        IMAGE_OUT_OF_SYNC('I'),
        MIRROR_LOG('l'),
        /** Volume that is being converted. */
        UNDER_CONVERSION('c'),
        /** Thin volume. */
        THIN('V'),
        THIN_POOL('t'),
        THIN_POOL_DATA('T'),
        VDO_POOL('d'),
        VDO_POOL_DATA('D'),
        /** Metadata of a pool or RAID, or the spare of one. */
        METADATA('e'),
        /** Plain: linear or striped. */
        PLAIN('-'),
        /** A letter this version does not know. */
        OTHER('?');

        private final char letter;

        Type(char letter) {
            this.letter = letter;
        }

        static Type of(char letter) {
            for (var type : values()) {
                if (type.letter == letter) {
                    return type;
                }
            }
            return OTHER;
        }
    }

    /** Permission, second character. */
    public enum Permission {
        READ_WRITE,
        READ_ONLY,
        /** Writable in the metadata, but activated read only. */
        ACTIVATED_READ_ONLY,
        /** LVM does not say. */
        UNKNOWN
    }

    /** State of the device, fifth character. */
    public enum State {
        ACTIVE,
        /** Not active: there is no device. */
        INACTIVE,
        /** Suspended: I/O waits. */
        SUSPENDED,
        /** Active, but something is wrong with it: {@link LvAttributes#health} says what. */
        ABNORMAL,
        /** Historical: only its name is left. */
        HISTORICAL,
        /** LVM could not tell. */
        UNKNOWN
    }

    /** Whether the device is open, sixth character. */
    public enum Open {
        /** Open, for example mounted. */
        OPEN,
        /** Not open. */
        CLOSED,
        /** LVM could not tell. */
        UNKNOWN
    }

    /**
     * Decodes the characters.
     *
     * @throws IllegalArgumentException if there are not exactly ten
     */
    public static LvAttributes parse(String text) {
        if (text.length() != 10) {
            throw new IllegalArgumentException("lv_attr must have ten characters: " + text);
        }
        return new LvAttributes(
                text,
                Type.of(text.charAt(0)),
                permission(text.charAt(1)),
                text.charAt(3) == 'm',
                state(text.charAt(4)),
                open(text.charAt(5)),
                LvHealth.of(text),
                text.charAt(9) == 'k');
    }

    /** Returns whether the device exists, in whatever state. */
    public boolean active() {
        return state == State.ACTIVE || state == State.SUSPENDED || state == State.ABNORMAL;
    }

    private static Permission permission(char letter) {
        return switch (letter) {
            case 'w' -> Permission.READ_WRITE;
            case 'r' -> Permission.READ_ONLY;
            case 'R' -> Permission.ACTIVATED_READ_ONLY;
            default -> Permission.UNKNOWN;
        };
    }

    private static State state(char letter) {
        return switch (letter) {
            case 'a' -> State.ACTIVE;
            case '-' -> State.INACTIVE;
            case 's', 'S' -> State.SUSPENDED;
            case 'h' -> State.HISTORICAL;
            case 'X' -> State.UNKNOWN;
            default -> State.ABNORMAL;
        };
    }

    private static Open open(char letter) {
        return switch (letter) {
            case 'o' -> Open.OPEN;
            case '-' -> Open.CLOSED;
            default -> Open.UNKNOWN;
        };
    }

    /** Returns whether a thin pool zeroes a block before it gives it to a volume. */
    public boolean zeroesNewBlocks() {
        return text.charAt(7) == 'z';
    }

    /** Returns how extents of the volume are chosen when it grows. */
    public AllocationPolicy allocation() {
        return text.length() > 2 ? AllocationPolicy.of(text.charAt(2)) : AllocationPolicy.UNKNOWN;
    }
}
