package lvms.lvm2.command;

import static java.util.stream.Collectors.groupingBy;

import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.label.GroupText;
import lvms.lvm2.label.GroupText.PoolMessage;
import lvms.lvm2.report.PoolRows;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Messages to the thin pools of a group that LVM wrote down and did not strike out, since the
 * change was cut short. LVM sends them with the next one; but if the kernel has counted their
 * transaction already, LVM takes the next one for sent, too. So a removed volume's device stays in
 * the kernel, and the next volume gets its number and shows its data.
 *
 * <p>LVM strikes them out when it makes a thin volume. One is made for that, and removed again.
 */
record PendingMessages(CommandRunner commands, StuckPools pools) {
    private static final System.Logger LOG = System.getLogger(PendingMessages.class.getName());

    /** The volume that is made for it; nobody else uses this name. */
    private static final String PASSING = "lvms-pool-messages";

    /** Another program may have made it in the meantime. */
    private static final String INACTIVE = "&&lv_attr!~^....a";

    /**
     * Ends those to some pools; returns whether there were any.
     *
     * @throws LvmException.OutOfSpace if a pool is too full for LVM to make a volume in it
     */
    boolean end(String vg, Set<String> names) throws LvmException, InterruptedException {
        var found = read(vg);
        boolean cut = found.volumes().stream().anyMatch(lv -> lv.name().equals(PASSING));
        if (cut) {
            remove(new LvName(vg, PASSING), pools.rows(vg), "");
            found = read(vg);
        }
        var messages =
                found.messages().stream()
                        .filter(message -> names.contains(message.pool()))
                        .collect(groupingBy(PoolMessage::pool));
        if (!messages.isEmpty()) {
            var rows = pools.rows(vg);
            for (var pool : messages.entrySet()) {
                end(new LvName(vg, pool.getKey()), pool.getValue(), rows);
            }
        }
        return cut || !messages.isEmpty();
    }

    /**
     * LVM waits for running changes before it writes the file, so none of their messages is in it.
     */
    private GroupText read(String vg) throws LvmException, InterruptedException {
        var name = "lvms-metadata-" + UUID.randomUUID();
        var file = CutChanges.lockFolder(commands.options()).resolve(name);
        try {
            commands.run(
                    Effect.CHANGE,
                    List.of("vgcfgbackup", "-f", CutChanges.LOCKS.resolve(name).toString(), vg));
            return GroupText.parse(Files.readString(file));
        } catch (IOException | IllegalArgumentException e) {
            throw new LvmException.Unavailable("cannot read LVM's metadata from " + file, e);
        } finally {
            delete(file);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.log(Level.WARNING, () -> "cannot remove " + file + ": " + e);
        }
    }

    private void end(LvName pool, List<PoolMessage> messages, PoolRows rows)
            throws LvmException, InterruptedException {
        LOG.log(
                Level.WARNING,
                () ->
                        "ending what a killed change had to tell a thin pool pool=%s messages=%s"
                                .formatted(pool, messages));
        pools.activate(pool);
        if (!removeUnmade(pool, messages, rows)) {
            make(pool);
            remove(new LvName(pool.vg(), PASSING), pools.rows(pool.vg()), "");
        }
    }

    /**
     * LVM would make a snapshot later without holding its source still. What the kernel has not
     * heard of, nobody has got.
     */
    private boolean removeUnmade(LvName pool, List<PoolMessage> messages, PoolRows rows)
            throws LvmException, InterruptedException {
        boolean removed = false;
        for (var message : messages) {
            if (!message.created().isEmpty()) {
                var volume = new LvName(pool.vg(), message.created());
                if (pools.neverMade(volume, pool, rows)) {
                    remove(volume, rows, INACTIVE);
                    removed = true;
                }
            }
        }
        return removed;
    }

    private void make(LvName pool) throws LvmException, InterruptedException {
        var words = new ArrayList<>(List.of("lvcreate", "-y", "-an", "-V", "512b"));
        words.addAll(List.of("--thinpool", pool.lv(), "-n", PASSING, pool.vg()));
        commands.run(Effect.CHANGE, words);
    }

    private void remove(LvName volume, PoolRows rows, String onlyIf)
            throws LvmException, InterruptedException {
        var uuid = rows.uuid(volume.lv());
        if (uuid.isPresent()) {
            commands.run(
                    Effect.CHANGE,
                    Words.onlyIf(onlyIf, new Identity<>(volume, uuid.get()), "lvremove", "-y"));
        }
    }
}
