package lvms.node.vgmanager.plan;

import lvms.api.Names;
import lvms.node.disk.KnownPv;

import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides what becomes of a volume group that has the name of ours, but not our tag. It is taken
 * over only if the object asks for that and names every device that the group lies on: a group that
 * is also elsewhere is somebody else's.
 */
record AdoptionPlan(Situation s) {
    Decision next() {
        if (!s.goal().listing().adopt()) {
            return blocked(foreign());
        }
        var outside = s.members().stream().filter(pv -> !isSelected(pv)).toList();
        return outside.isEmpty()
                ? new Decision.Act(new Step.AdoptGroup(tags()))
                : blocked(
                        outside.stream()
                                .map(pv -> pv.pv().missing() ? pv.pv().uuid() : pv.pv().device())
                                .collect(Collectors.joining(", ", elsewhere(), "")));
    }

    private Set<String> tags() {
        boolean whole = new DiskSizes(s, s.groups().getFirst()).larger().isEmpty();
        return whole
                ? Set.of(Names.VOLUME_GROUP_TAG)
                : Set.of(Names.VOLUME_GROUP_TAG, Names.KEPT_SIZES_TAG);
    }

    private boolean isSelected(KnownPv pv) {
        return !pv.pv().missing()
                && pv.kernelName()
                        .filter(name -> !s.selection().explicit() || s.selection().names(name))
                        .isPresent();
    }

    private static Decision blocked(String message) {
        return new Decision.Blocked(EventReason.GROUP_FAILED, message);
    }

    private String foreign() {
        return ("a volume group \"%1$s\" without the tag \"%2$s\" exists; it is not ours and is"
                    + " left alone: give it or the class another name, or if its volumes are to be"
                    + " served here, make it ours with \"vgchange --addtag %2$s %1$s\" on the node")
                .formatted(s.goal().volumeGroup(), Names.VOLUME_GROUP_TAG);
    }

    private String elsewhere() {
        return ("volume group \"%s\" without the tag \"%s\" exists and is not taken over: these of"
                        + " its physical volumes are not among the devices of the class: ")
                .formatted(s.goal().volumeGroup(), Names.VOLUME_GROUP_TAG);
    }
}
