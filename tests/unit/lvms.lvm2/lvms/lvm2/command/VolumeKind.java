package lvms.lvm2.command;

import static lvms.lvm2.plan.AllocationSettings.DEFAULTS;

import lvms.lvm2.plan.AllocationSettings;
import lvms.lvm2.plan.PoolShape;
import lvms.lvm2.plan.VolumeShape;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * A kind of thick volume that the planner is held against.
 *
 * @param tag of the devices that it may use; empty for all
 * @param words that ask lvcreate for it
 */
record VolumeKind(VolumeShape shape, String tag, AllocationSettings settings, List<String> words) {
    private VolumeKind(VolumeShape shape, String... words) {
        this(shape, "", DEFAULTS, List.of(words));
    }

    /** Those that need no device-mapper. */
    static List<VolumeKind> plain() {
        var linear = new VolumeKind(VolumeShape.linear());
        var striped = new VolumeKind(VolumeShape.striped(2), "-i", "2", "-I", "4k");
        return List.of(
                linear,
                striped,
                new VolumeKind(VolumeShape.striped(3), "-i", "3", "-I", "4k"),
                linear.onTagged("a"),
                striped.onTagged("b"),
                linear.withClingTags(),
                striped.withClingTags());
    }

    static List<VolumeKind> raid() {
        var three = new VolumeKind(VolumeShape.raid1(3), "--type", "raid1", "-m", "2");
        return List.of(
                new VolumeKind(VolumeShape.raid1(2), "--type", "raid1", "-m", "1"),
                three,
                three.withClingTags(),
                raid(VolumeShape.raid4(2)),
                raid(VolumeShape.raid5(2)),
                raid(VolumeShape.raid5(3)),
                raid(VolumeShape.raid6(3)),
                raid(VolumeShape.raid10(2, 2), "-m", "1"));
    }

    private static VolumeKind raid(VolumeShape shape, String... more) {
        var words = new ArrayList<>(List.of("--type", shape.type(), "-i", "" + shape.stripes()));
        words.addAll(List.of("-I", "4k"));
        words.addAll(List.of(more));
        return new VolumeKind(shape, "", DEFAULTS, words);
    }

    private VolumeKind onTagged(String devices) {
        return new VolumeKind(shape, devices, settings, words);
    }

    /** The same where devices of one tag count as one place. */
    private VolumeKind withClingTags() {
        var more =
                new ArrayList<>(List.of("--config", "allocation/cling_tag_list=[\"@a\",\"@b\"]"));
        more.addAll(words);
        return new VolumeKind(shape, tag, settings.withClingTags(Set.of("a", "b")), more);
    }

    /** A command that allocates, and writes nothing. */
    LongFunction<List<String>> command(String vg) {
        return size -> {
            var all = new ArrayList<>(List.of("lvcreate", "--test", "-y", "-l", "" + size));
            all.addAll(List.of("-an", "-Zn", "-Wn"));
            all.addAll(words);
            all.addAll(List.of("-n", "new", vg));
            if (!tag.isEmpty()) {
                all.add("@" + tag);
            }
            return all;
        };
    }

    /** A command that allocates a thin pool, and writes nothing. */
    static List<String> pool(PoolShape shape, long extents, String vg) {
        var words = new ArrayList<>(List.of("lvcreate", "--test", "-y", "-an", "-Zn"));
        words.addAll(List.of("--type", "thin-pool", "-n", "new", "-l", "" + extents));
        shape.chunkSizeBytes().ifPresent(size -> words.addAll(List.of("-c", size + "b")));
        shape.metadataSizeBytes()
                .ifPresent(size -> words.addAll(List.of("--poolmetadatasize", size + "b")));
        words.add(vg);
        return words;
    }
}
