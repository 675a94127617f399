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
    private static final String COLUMNS = "lv_uuid,lv_attr,lv_read_ahead";

    Tuning read(Identity<LvName> volume) throws LvmException, InterruptedException {
        var row = reads.columns(volume.name(), COLUMNS);
        volume.require(Columns.text(row, "lv_uuid"));
        return tuning(row);
    }

    /** One command for all, so that a cut leaves all or, at worst, some; it can be repeated. */
    Tuning change(Identity<LvName> volume, Tuning wanted)
            throws LvmException, InterruptedException {
        Grammar.requireLvName(volume.name());
        try (var _ = runner.locks().change(volume.name().vg())) {
            var words = new ArrayList<>(List.of("lvchange", "-y"));
            words.addAll(differences(read(volume), wanted));
            if (words.size() > 2) {
                words.addAll(Words.only(volume));
                runner.run(Effect.CHANGE, words);
            }
            return read(volume);
        }
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
