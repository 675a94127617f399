package lvms.node.disk;

import lvms.lvm2.label.GroupText;

import java.util.Optional;

/**
 * A device with LVM's label that LVM does not list: its devices file hides it, it comes from
 * another machine, or its group has given it up.
 *
 * @param kernelName path by the kernel's name
 * @param group the group that it says it belongs to
 * @param failure why what it says could not be read
 */
public record UnlistedPv(String kernelName, Optional<GroupText> group, Optional<String> failure) {
    /** Returns the end of a sentence that begins with "a physical volume". */
    String text() {
        return failure.map(why -> ", which cannot be read (" + why + ")")
                .or(() -> group.map(g -> " of volume group \"" + g.name() + '"'))
                .orElse("");
    }
}
