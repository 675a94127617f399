package lvms.lvm2.command;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolumes.Tuning;
import lvms.lvm2.LogicalVolumes.Tuning.ReadAhead;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.report.Columns;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads and changes how a volume is tuned. */
record TuningChanges(MendingRunner runner, Reads reads) {
    private static final String KERNEL = "lv_kernel_read_ahead";
    private static final String COLUMNS = "lv_uuid,lv_attr,lv_read_ahead," + KERNEL;

    /** Where LVM chooses, it stays at what the kernel gives each device, or goes beyond. */
    private static final long LEAST_OF_AUTO = 128 << 10;

    Tuning read(Identity<LvName> volume) throws LvmException, InterruptedException {
        return tuning(row(volume));
    }

    private Map<String, String> row(Identity<LvName> volume)
            throws LvmException, InterruptedException {
        var row = reads.columns(volume.name(), COLUMNS);
        volume.require(Columns.text(row, "lv_uuid"));
        return row;
    }

    /**
     * One command for all, so that a cut leaves all or, at worst, some; it can be repeated. LVM
     * writes its metadata before it tells the kernel: after a cut in between, nothing is left to
     * change, and a refresh tells the kernel.
     */
    Tuning change(Identity<LvName> volume, Tuning wanted)
            throws LvmException, InterruptedException {
        Grammar.requireLvName(volume.name());
        try (var _ = runner.locks().change(volume.name().vg())) {
            var now = row(volume);
            var differences = differences(tuning(now), wanted);
            if (!differences.isEmpty()) {
                var words = new ArrayList<>(List.of("lvchange", "-y"));
                words.addAll(differences);
                words.addAll(Words.only(volume));
                runner.run(Effect.CHANGE, words);
            } else if (wanted.readAhead().isPresent() && kernelIsBehind(now)) {
                var words = new ArrayList<>(List.of("lvchange", "-y", "--refresh"));
                words.addAll(runner.withoutPolling());
                words.addAll(Words.only(volume));
                runner.resume(volume.name(), words);
            }
            return read(volume);
        }
    }

    /**
     * Returns whether the kernel reads ahead otherwise than the metadata say; never if inactive.
     */
    private static boolean kernelIsBehind(Map<String, String> row) {
        var kernel = Columns.text(row, KERNEL);
        if (kernel.isEmpty() || kernel.startsWith("-")) {
            return false;
        }
        long bytes = Columns.number(row, KERNEL);
        var wanted = tuning(row).readAhead().orElseThrow().bytes();
        return wanted.isPresent() ? bytes != wanted.getAsLong() : bytes < LEAST_OF_AUTO;
    }

    private static List<String> differences(Tuning now, Tuning wanted) {
        var words = new ArrayList<String>();
        if (!wanted.readAhead().equals(now.readAhead())) {
            wanted.readAhead().ifPresent(r -> words.addAll(List.of("--readahead", r.word())));
        }
        if (!wanted.allocation().equals(now.allocation())) {
            wanted.allocation().ifPresent(p -> words.addAll(List.of("--alloc", word(p))));
        }
        return words;
    }

    private static String word(AllocationPolicy policy) {
        return policy.name().toLowerCase(Locale.ROOT);
    }

    private static Tuning tuning(Map<String, String> row) {
        var policy = LvAttributes.parse(Columns.text(row, "lv_attr")).allocation();
        var ahead = Columns.text(row, "lv_read_ahead");
        return new Tuning(
                Optional.of(
                        ahead.equals("auto")
                                ? ReadAhead.AUTO
                                : ReadAhead.ofBytes(Columns.number(row, "lv_read_ahead"))),
                Optional.of(policy).filter(p -> p != AllocationPolicy.UNKNOWN));
    }
}
