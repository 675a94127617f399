package lvms.node.proof;

import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a disk that is about to become a physical volume.
 *
 * @param device its name
 * @param same whether it is still the disk that was chosen
 * @param locked whether a program has locked it (flock), as those do that partition or format it
 * @param obstacles why it is not free, as ends of a sentence
 */
public record DiskTaking(String device, boolean same, boolean locked, List<String> obstacles) {
    public DiskTaking {
        obstacles = List.copyOf(obstacles);
    }

    /** Returns the same for a disk that is not blank, although nobody chose it. */
    public DiskTaking withData() {
        return with("has data in its first or last MiB");
    }

    /** Returns the same for a disk that is not free for one more reason. */
    public DiskTaking with(String obstacle) {
        var all = new ArrayList<>(obstacles);
        all.add(obstacle);
        return new DiskTaking(device, same, locked, all);
    }
}
