package lvms.operator.cluster.rule;

import lvms.api.DeviceClass;
import lvms.api.SizePolicy;
import lvms.api.ThinPoolConfig;
import lvms.k8s.object.Quantity;

/** Rules of thin pools. Sizes are compared by value: 128Ki and 131072 are the same. */
final class ThinPoolRules {
    private static final int RECOMMENDED_PERCENT = 90;
    private static final Quantity MIN_CHUNK = Quantity.ofBytes(64L << 10);
    private static final Quantity MAX_CHUNK = Quantity.ofBytes(1L << 30);
    private static final Quantity MIN_METADATA = Quantity.ofBytes(2L << 20);
    private static final Quantity MAX_METADATA = Quantity.ofBytes(16L << 30);

    private ThinPoolRules() {}

    static void roomForMetadata(DeviceClass deviceClass, Findings findings) {
        findings.warningIf(
                deviceClass
                        .thinPool()
                        .filter(p -> p.sizePercent() > RECOMMENDED_PERCENT)
                        .isPresent(),
                prefix(deviceClass)
                        + "sizePercent is greater than "
                        + RECOMMENDED_PERCENT
                        + ": the metadata of the thin pool may not find room to grow when it is"
                        + " full; keep it below 100 with a rest that is big enough");
    }

    static void sizes(DeviceClass deviceClass, Findings findings) {
        deviceClass
                .thinPool()
                .ifPresent(
                        pool -> {
                            chunk(prefix(deviceClass), pool, findings);
                            metadata(prefix(deviceClass), pool, findings);
                        });
    }

    private static void chunk(String prefix, ThinPoolConfig pool, Findings findings) {
        pool.chunkSize()
                .ifPresent(
                        size -> {
                            findings.errorIf(
                                    pool.chunkSizePolicy() == SizePolicy.HOST,
                                    prefix
                                            + "chunkSize must not be set when"
                                            + " chunkSizeCalculationPolicy is Host");
                            bounds(prefix + "chunkSize", size, MIN_CHUNK, MAX_CHUNK, findings);
                        });
    }

    private static void metadata(String prefix, ThinPoolConfig pool, Findings findings) {
        pool.metadataSize()
                .ifPresent(
                        size -> {
                            findings.errorIf(
                                    pool.metadataSizePolicy() == SizePolicy.HOST,
                                    prefix
                                            + "metadataSize must not be set when"
                                            + " metadataSizeCalculationPolicy is Host");
                            bounds(
                                    prefix + "metadataSize",
                                    size,
                                    MIN_METADATA,
                                    MAX_METADATA,
                                    findings);
                        });
        defaultMetadata(prefix, pool, findings);
    }

    /** Warns that a default is used. */
    static void defaultMetadata(String prefix, ThinPoolConfig pool, Findings findings) {
        findings.warningIf(
                pool.metadataSizePolicy() == SizePolicy.STATIC && pool.metadataSize().isEmpty(),
                prefix
                        + "metadataSize is not set, "
                        + ThinPoolConfig.DEFAULT_METADATA_SIZE
                        + " will be used");
    }

    private static void bounds(
            String field, Quantity size, Quantity least, Quantity most, Findings findings) {
        findings.errorIf(
                size.compareTo(least) < 0, field + " must be at least " + least + ", got " + size);
        findings.errorIf(
                size.compareTo(most) > 0, field + " must be at most " + most + ", got " + size);
    }

    private static String prefix(DeviceClass deviceClass) {
        return "device class \"" + deviceClass.name() + "\": thin pool: ";
    }
}
