package lvms.node.proof;

import lvms.api.Names;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.label.GroupText;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What is known of a volume group on disks that a user wants wiped.
 *
 * @param group its name
 * @param ours whether it has our tag
 * @param volumes its volumes
 * @param named names in LVM that the LogicalVolumes of this node give
 */
public record GroupWipe(
        String group, boolean ours, List<GroupText.Volume> volumes, Set<String> named) {
    /** The UID of an object: TopoLVM's volumes have no tag, but they are named like this. */
    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    public GroupWipe {
        volumes = List.copyOf(volumes);
        named = Set.copyOf(named);
    }

    /** Evidence from LVM's report. */
    public static GroupWipe of(VolumeGroupReport report, Set<String> named) {
        return new GroupWipe(
                report.group().name(),
                report.group().tags().contains(Names.VOLUME_GROUP_TAG),
                report.logicalVolumes().stream()
                        .map(lv -> new GroupText.Volume(lv.name().lv(), lv.tags(), lv.isThinPool()))
                        .toList(),
                named);
    }

    /** Evidence from a disk that LVM does not list. */
    public static GroupWipe of(GroupText text, Set<String> named) {
        return new GroupWipe(
                text.name(), text.tags().contains(Names.VOLUME_GROUP_TAG), text.volumes(), named);
    }

    /** Returns the volumes that somebody was given, by name. */
    List<String> handedOut() {
        return volumes.stream()
                .filter(volume -> !volume.pool())
                .filter(this::handedOut)
                .map(GroupText.Volume::name)
                .sorted()
                .toList();
    }

    private boolean handedOut(GroupText.Volume volume) {
        return ours
                || named.contains(volume.name())
                || UID.matcher(volume.name()).matches()
                || volume.tags().stream().anyMatch(tag -> tag.startsWith(Names.VOLUME_NAME_TAG));
    }
}
