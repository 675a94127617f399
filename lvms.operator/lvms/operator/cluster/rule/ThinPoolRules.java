package lvms.operator.cluster.rule;

import static lvms.operator.cluster.rule.FieldRule.fixed;
import static lvms.operator.cluster.rule.FieldRule.free;

import lvms.api.DeviceClass;
import lvms.api.SizePolicy;
import lvms.api.ThinPoolConfig;
import lvms.api.ThinPoolConfig.Trim;
import lvms.k8s.object.Quantity;

import java.util.List;

/** Rules of thin pools. Sizes are compared by value: 128Ki and 131072 are the same. */
final class ThinPoolRules {
    private static final int RECOMMENDED_PERCENT = 90;
    private static final Quantity MIN_CHUNK = Quantity.ofBytes(64L << 10);
    private static final Quantity MAX_CHUNK = Quantity.ofBytes(1L << 30);
    private static final Quantity MIN_METADATA = Quantity.ofBytes(2L << 20);
    private static final Quantity MAX_METADATA = Quantity.ofBytes(16L << 30);

    private static final String FIXED = " cannot be changed";

    /** One for each field of a pool, in the order of the messages. */
    static final List<FieldRule<ThinPoolConfig>> FIELDS =
            List.of(
                    fixed("name", FIXED, ThinPoolConfig::name),
                    fixed("sizePercent", FIXED, ThinPoolConfig::sizePercent),
                    free("overprovisionRatio"),
                    fixed("chunkSizeCalculationPolicy", FIXED, ThinPoolConfig::chunkSizePolicy),
                    fixed("chunkSize", FIXED, ThinPoolConfig::effectiveChunkSize),
                    free("metadataSizeCalculationPolicy"),
                    new FieldRule<>("metadataSize", ThinPoolRules::metadataChange),
                    free("thresholdPercent"),
                    free("growthStepPercent"),
                    free("growthLimit"),
                    free("whenFull"),
                    free("trim"));

    private ThinPoolRules() {}

    /** Judges a change of a pool that may hold volumes. */
    static void change(
            String prefix, ThinPoolConfig before, ThinPoolConfig after, Findings findings) {
        for (var rule : FIELDS) {
            rule.judge().judge(prefix + "thinPoolConfig.", before, after, findings);
        }
        defaultMetadata(prefix + "thin pool: ", after, findings);
    }

    private static void metadataChange(
            String prefix, ThinPoolConfig before, ThinPoolConfig after, Findings findings) {
        boolean fixed =
                before.metadataSizePolicy() == SizePolicy.STATIC
                        && after.metadataSizePolicy() == SizePolicy.STATIC;
        findings.errorIf(
                fixed
                        && after.effectiveMetadataSize()
                                        .get()
                                        .compareTo(before.effectiveMetadataSize().get())
                                < 0,
                prefix + "metadataSize can only be increased");
    }

    static void roomForMetadata(DeviceClass deviceClass, Findings findings) {
        findings.warningIf(
                deviceClass
                        .group()
                        .thinPool()
                        .filter(p -> p.sizePercent() > RECOMMENDED_PERCENT)
                        .isPresent(),
                prefix(deviceClass)
                        + "sizePercent is greater than "
                        + RECOMMENDED_PERCENT
                        + ": the pool's metadata may find no room to grow when it is full; leave"
                        + " some of the group free");
    }

    static void sizes(DeviceClass deviceClass, Findings findings) {
        deviceClass
                .group()
                .thinPool()
                .ifPresent(
                        pool -> {
                            chunk(prefix(deviceClass), pool, findings);
                            metadata(prefix(deviceClass), pool, findings);
                            trim(prefix(deviceClass), pool, findings);
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

    private static void trim(String prefix, ThinPoolConfig pool, Findings findings) {
        findings.errorIf(
                pool.trim()
                        .flatMap(Trim::rate)
                        .filter(rate -> rate.compareTo(Trim.LEAST_RATE) < 0)
                        .isPresent(),
                prefix + "trim.rate must be at least " + Trim.LEAST_RATE + " a second");
    }

    private static void defaultMetadata(String prefix, ThinPoolConfig pool, Findings findings) {
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
