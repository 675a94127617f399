package lvms.lvm2.command;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command.Effect;

import java.util.List;
import java.util.regex.Pattern;

/**
 * LVM before 2.03.22 puts two images of a RAID volume on one device if that is the only room left
 * ("Fix multisegment RAID1 allocator", its notes say). Losing that device would lose the volume, so
 * the new volume is removed again.
 */
record ImagesApart(MendingRunner runner, Reads reads) {
    private static final Pattern RAID =
            Pattern.compile("(.*[= ])?raid.*|-m.*|--mirrors.*|--type=raid.*");

    /**
     * Returns whether LVM itself refuses to put two images on one device. It does so when it has
     * chosen the room, and looks for no other room then.
     */
    static boolean byLvm(MendingRunner runner) {
        return runner.version().filter(version -> version.atLeast(2, 3, 22)).isPresent();
    }

    /**
     * Checks a new volume.
     *
     * @param creation the command that made it
     * @throws LvmException.OutOfSpace if two of its images shared a device
     */
    void require(LvName name, List<String> creation) throws LvmException, InterruptedException {
        boolean raid = creation.stream().anyMatch(word -> RAID.matcher(word).matches());
        boolean asked = creation.stream().anyMatch(word -> word.endsWith("anywhere"));
        if (byLvm(runner) || !raid || asked) {
            return;
        }
        var shared = reads.layers(name.vg()).sharedDevice(name.lv());
        boolean allowed = reads.existingGroup(name.vg()).allocation() == AllocationPolicy.ANYWHERE;
        if (shared.isPresent() && !allowed) {
            runner.run(Effect.CHANGE, List.of("lvremove", "-y", name.toString()));
            throw new LvmException.OutOfSpace(
                    "lvcreate "
                            + name
                            + ": the only free room would put two of its images on "
                            + shared.get());
        }
    }
}
