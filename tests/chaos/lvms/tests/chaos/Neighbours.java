package lvms.tests.chaos;

import lvms.tests.cluster.ClusterNode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What others have on the same nodes: volumes in our group whose names end as LVM's own layers do,
 * and a group of their own on a loop device. Whatever happens to ours, they keep their content and
 * stay active until their node boots. Only nodes with an LVM of their own have them.
 */
final class Neighbours {
    private static final List<String> VOLUMES =
            List.of("thick/vm1-cow", "thick/docker-tpool", "theirs/data-real");

    private static final String MAKE =
            """
            command -v lvcreate >/dev/null || exit 0
            truncate --size 64M /var/tmp/theirs
            vgcreate -q -y theirs "$(losetup --find --show /var/tmp/theirs)" >/dev/null
            lvcreate -q -y -Wn -Zn -L 8M -n data-real theirs >/dev/null
            lvcreate -q -y -Wn -Zn -L 8M -n vm1-cow thick >/dev/null
            lvcreate -q -y -Wn -Zn -L 8M -n docker-tpool thick >/dev/null
            for lv in %1$s; do
                yes "$lv is theirs" | head -c 8M >/dev/$lv
            done
            sync
            cat /proc/sys/kernel/random/boot_id >/var/tmp/theirs.boot
            """;

    /** After a boot nobody has activated them; their owner would. */
    private static final String CHECK =
            """
            [ -f /var/tmp/theirs.boot ] || exit 0
            if ! cmp -s /proc/sys/kernel/random/boot_id /var/tmp/theirs.boot; then
                losetup --associated /var/tmp/theirs | grep -q . ||
                    losetup --find /var/tmp/theirs
                vgchange -q -ay theirs >/dev/null
                for lv in %1$s; do lvchange -q -ay $lv; done
                cat /proc/sys/kernel/random/boot_id >/var/tmp/theirs.boot
            fi
            for lv in %1$s; do
                if [ ! -b /dev/$lv ]; then
                    echo "$lv is not active"
                elif ! yes "$lv is theirs" | head -c 8M | cmp -s - /dev/$lv; then
                    echo "$lv has another content"
                fi
            done
            """;

    private Neighbours() {}

    /** Makes them on all nodes; our groups are there. */
    static void settle(List<ClusterNode> nodes) throws IOException {
        for (var node : nodes) {
            node.shell(MAKE.formatted(String.join(" ", VOLUMES)));
        }
    }

    /** Returns whether a text is about one of them, such as that it has no LogicalVolume. */
    static boolean isAboutThem(String text) {
        return VOLUMES.stream().anyMatch(text::contains);
    }

    /** Returns what is wrong with them. */
    static List<String> problems(List<ClusterNode> nodes) throws IOException {
        var problems = new ArrayList<String>();
        for (var node : nodes) {
            node.shell(CHECK.formatted(String.join(" ", VOLUMES)))
                    .lines()
                    .map(line -> "on " + node + " " + line)
                    .forEach(problems::add);
        }
        return problems;
    }
}
