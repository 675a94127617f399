package lvms.node.deviceclass;

import lvms.api.ThinPoolConfig.Trim;
import lvms.lvm2.LvcreateOptions;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.plan.AllocationSettings;
import lvms.lvm2.plan.ExtentLayout;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Where a device class puts its volumes on this node, and how it makes them.
 *
 * @param name name of the device class, as StorageClasses and LogicalVolumes use it
 * @param volumeGroup name of the LVM volume group
 * @param isDefault whether volumes that name no class are made here
 * @param provisioning thick, or thin with its pool
 * @param spareBytes what a thick class's capacity report, and lvmd's GetFreeBytes for any class,
 *     keep back; creating a volume may use it (as in TopoLVM)
 * @param striping stripes of new volumes; empty leaves it to LVM
 * @param lvcreateOptions further arguments of {@code lvcreate}, one list element each
 * @param raid the RAID shape of the volumes; empty for linear and striped ones
 * @param erasure how thick volumes are erased
 */
public record NodeDeviceClass(
        String name,
        String volumeGroup,
        boolean isDefault,
        Provisioning provisioning,
        long spareBytes,
        Optional<Striping> striping,
        List<String> lvcreateOptions,
        Optional<RaidShape> raid,
        ErasurePolicy erasure) {

    /** A class that erases nothing. */
    public NodeDeviceClass(
            String name,
            String volumeGroup,
            boolean isDefault,
            Provisioning provisioning,
            long spareBytes,
            Optional<Striping> striping,
            List<String> lvcreateOptions,
            Optional<RaidShape> raid) {
        this(
                name,
                volumeGroup,
                isDefault,
                provisioning,
                spareBytes,
                striping,
                lvcreateOptions,
                raid,
                ErasurePolicy.NOTHING);
    }

    /** Checks each part. */
    public NodeDeviceClass {
        if (name.isEmpty() || volumeGroup.isEmpty()) {
            throw new IllegalArgumentException("a device class needs a name and a volume group");
        }
        if (spareBytes < 0) {
            throw new IllegalArgumentException(name + ": spare is negative: " + spareBytes);
        }
        Objects.requireNonNull(provisioning);
        Objects.requireNonNull(striping);
        Objects.requireNonNull(raid);
        Objects.requireNonNull(erasure);
        lvcreateOptions = List.copyOf(lvcreateOptions);
    }

    /** How a volume gets its space. */
    public sealed interface Provisioning {
        /** All extents are allocated when the volume is made. */
        record Thick() implements Provisioning {}

        /**
         * Blocks come from a thin pool when they are first written.
         *
         * @param pool name of the thin pool in the volume group
         * @param overprovisionRatio virtual bytes per byte of the pool, at least 1
         * @param trim how its filesystems are trimmed if no LVMVolumeGroup says it; empty for never
         */
        record Thin(String pool, double overprovisionRatio, Optional<Trim> trim)
                implements Provisioning {
            /** A pool whose filesystems are not trimmed. */
            public Thin(String pool, double overprovisionRatio) {
                this(pool, overprovisionRatio, Optional.empty());
            }

            /** Checks the pool's name and the ratio. */
            public Thin {
                if (pool.isEmpty()) {
                    throw new IllegalArgumentException("a thin class needs the name of a pool");
                }
                if (!(overprovisionRatio >= 1) || Double.isInfinite(overprovisionRatio)) {
                    throw new IllegalArgumentException(
                            "overprovision ratio is below 1: " + overprovisionRatio);
                }
            }
        }
    }

    /**
     * Stripes of a new volume.
     *
     * @param stripes number of stripes, at least 1
     * @param stripeSize size in LVM's notation, such as {@code 64k}; empty for LVM's default
     */
    public record Striping(int stripes, Optional<String> stripeSize) {
        private static final Pattern SIZE =
                Pattern.compile("([0-9]{1,10})([bBsSkKmMgGtTpPeE]?)[bB]?");

        /** Checks the number of stripes. */
        public Striping {
            if (stripes < 1) {
                throw new IllegalArgumentException("stripes is below 1: " + stripes);
            }
            Objects.requireNonNull(stripeSize);
        }

        /**
         * Returns the size as {@code lvcreate -I} reads it: kibibytes unless a unit is given.
         *
         * @throws IllegalArgumentException if it is no size
         */
        public OptionalLong sizeBytes() {
            return stripeSize.isPresent()
                    ? OptionalLong.of(bytes(stripeSize.get()))
                    : OptionalLong.empty();
        }

        private Optional<String> refusal() {
            try {
                sizeBytes();
                return Optional.empty();
            } catch (IllegalArgumentException e) {
                return Optional.of(e.getMessage());
            }
        }

        private static long bytes(String text) {
            var matcher = SIZE.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("not a stripe size: " + text);
            }
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "b", "B" -> number;
                case "s", "S" -> number * 512;
                case "m", "M" -> number << 20;
                case "g", "G" -> number << 30;
                case "t", "T", "p", "P", "e", "E" ->
                        throw new IllegalArgumentException("stripe size is too large: " + text);
                default -> number << 10;
            };
        }
    }

    /** The pool that volumes of this class are made in; empty for thick classes. */
    public Optional<Provisioning.Thin> thin() {
        return provisioning instanceof Provisioning.Thin thin
                ? Optional.of(thin)
                : Optional.empty();
    }

    /** Returns the same class with another way to erase. */
    public NodeDeviceClass withErasure(ErasurePolicy policy) {
        return new NodeDeviceClass(
                name,
                volumeGroup,
                isDefault,
                provisioning,
                spareBytes,
                striping,
                lvcreateOptions,
                raid,
                policy);
    }

    /**
     * Returns the size of the largest thick volume of this class that its group has room for, by
     * the rules of LVM's allocator; empty if its options ask for a type whose rules are not known
     * here.
     *
     * @param settings how LVM allocates on this machine
     */
    public Optional<Long> largestBytes(VolumeGroupReport report, AllocationSettings settings) {
        return shape().map(shape -> shape.largestBytes(ExtentLayout.of(report), settings));
    }

    /**
     * Returns, in a few words, why no new volume of this class can be made; empty if it can. Other
     * work on its volumes does not ask.
     */
    public Optional<String> refusal() {
        return LvcreateOptions.refusal(lvcreateOptions)
                .or(() -> striping.flatMap(Striping::refusal));
    }

    /** Returns how many images a RAID volume of this class has; 0 for other volumes. */
    public int images() {
        return shape().map(ClassShape::images).orElse(0);
    }

    private Optional<ClassShape> shape() {
        var stripes =
                striping.isPresent()
                        ? OptionalInt.of(striping.get().stripes())
                        : OptionalInt.empty();
        return provisioning instanceof Provisioning.Thick
                ? ClassShape.of(stripes, lvcreateOptions)
                : Optional.empty();
    }
}
