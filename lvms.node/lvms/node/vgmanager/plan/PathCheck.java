package lvms.node.vgmanager.plan;

import lvms.api.VolumeGroupStatus;
import lvms.api.disk.DeviceSelection;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.node.disk.DeviceVerdict;

import java.util.List;
import java.util.Optional;

/** Checks that each mandatory path of the selector can be used, or is in use by the group. */
final class PathCheck {
    private PathCheck() {}

    /** Returns what is wrong with the first mandatory path that cannot be used. */
    static Optional<String> problem(DeviceSelection selection, List<DeviceVerdict> verdicts) {
        return selection.required().stream()
                .flatMap(path -> problem(path, verdicts).stream())
                .findFirst();
    }

    private static Optional<String> problem(SelectedPath path, List<DeviceVerdict> verdicts) {
        var verdict =
                verdicts.stream()
                        .filter(
                                v ->
                                        path.kernelName()
                                                .filter(v.device().kernelName()::equals)
                                                .isPresent())
                        .findFirst();
        if (verdict.filter(v -> v.available() || v.member()).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                (VolumeGroupStatus.BAD_PATH
                                + "\"%s\" cannot be used: it is NOT available as a new device"
                                + " for the volume group and NOT part of a valid and tagged"
                                + " existing volume group: %s")
                        .formatted(path.path(), why(verdict)));
    }

    private static String why(Optional<DeviceVerdict> verdict) {
        return verdict.map(PathCheck::reasons)
                .orElse("the device did not exist on the host (lsblk does not list it)");
    }

    private static String reasons(DeviceVerdict verdict) {
        return verdict.excluded()
                ? String.join("; ", verdict.reasons())
                : verdict.device().name() + " is a logical volume";
    }
}
