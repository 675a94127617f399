package lvms.node.deviceclass;

import lvms.api.RaidConfig;
import lvms.api.RaidType;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a RAID configuration asks of a volume group and of {@code lvcreate}.
 *
 * @param config the configuration of the class
 */
public record RaidGoal(RaidConfig config) {
    /** Stripes that lvcreate(8) takes if none are asked for. */
    private static final int DEFAULT_STRIPES = 2;

    private static final int DEFAULT_RAID6_STRIPES = 3;

    public RaidType type() {
        return config.type();
    }

    /** Says why a volume group with this many devices cannot hold such volumes. */
    public Optional<String> problemWith(int devices) {
        int least = Math.max(config.minimumDevices(), shape().images());
        if (devices < least) {
            return Optional.of(
                    "%s requires at least %d devices, got %d"
                            .formatted(type().text(), least, devices));
        }
        int copies = config.effectiveMirrors() + 1;
        if (type() == RaidType.RAID10 && devices % copies != 0) {
            return Optional.of(
                    "raid10 requires a number of devices divisible by %d, got %d"
                            .formatted(copies, devices));
        }
        return Optional.empty();
    }

    /** Returns the arguments of {@code lvcreate}, as lvmd.yaml lists them. */
    public List<String> lvcreateOptions() {
        var options = new ArrayList<>(List.of("--type", type().text()));
        if (type().mirrored()) {
            options.addAll(List.of("-m", Integer.toString(config.effectiveMirrors())));
        }
        if (type().striped()) {
            config.stripes()
                    .ifPresent(n -> options.addAll(List.of("--stripes", Integer.toString(n))));
            config.stripeSize()
                    .ifPresent(
                            size ->
                                    options.addAll(
                                            List.of("--stripesize", size.bytes() / 1024 + "k")));
        }
        return List.copyOf(options);
    }

    public RaidShape shape() {
        int stripes =
                config.stripes()
                        .orElse(type() == RaidType.RAID6 ? DEFAULT_RAID6_STRIPES : DEFAULT_STRIPES);
        int copies = config.effectiveMirrors() + 1;
        return switch (type()) {
            case RAID1 -> new RaidShape(copies, 1);
            case RAID4, RAID5 -> new RaidShape(stripes + 1, stripes);
            case RAID6 -> new RaidShape(stripes + 2, stripes);
            case RAID10 -> new RaidShape(copies * stripes, stripes);
        };
    }
}
