package lvms.operator.overview;

import lvms.api.LogicalVolume;
import lvms.api.finding.Finding;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.volume.Access;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is wrong with volumes. Pure. */
final class VolumeFindings {
    /** What takes longer waits for a person. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Overview overview;
    private final List<Finding> found = new ArrayList<>();

    private VolumeFindings(Overview overview) {
        this.overview = overview;
    }

    static List<Finding> of(Overview overview) {
        var findings = new VolumeFindings(overview);
        overview.volumes().forEach(findings::volume);
        VolumeReport.orphans(overview).forEach(findings::orphan);
        if (overview.knows(overview.drivers().logicalVolumes().toArray(ResourceType[]::new))) {
            findings.withoutObject();
        }
        VolumeReport.retained(overview).forEach(findings::retained);
        overview.persistentVolumes().forEach(findings::oldBlocks);
        return findings.found;
    }

    private void volume(LogicalVolume volume) {
        var node = volume.spec().nodeName();
        var subject = "LogicalVolume " + volume.name();
        blockCopy(volume);
        if (overview.knows(Types.NODE) && overview.node(node).isEmpty()) {
            found.add(
                    Finding.error(
                            subject,
                            "its node " + node + " does not exist",
                            "docs/bad-days.md: a node that does not come back, or that has"
                                    + " another name"));
        } else if (!volume.status().message().isEmpty()) {
            found.add(
                    Finding.warning(
                            subject,
                            "on node " + node + ": " + volume.status().message(),
                            "the node tries again once the reason is gone"));
        } else if (volume.state() == LogicalVolume.State.TERMINATING) {
            terminating(volume, subject, node);
        } else if (volume.state() == LogicalVolume.State.PENDING && old(volume.object())) {
            found.add(
                    Finding.warning(
                            subject,
                            "node "
                                    + node
                                    + " has not made it for "
                                    + Cell.text(overview.age(volume.object())),
                            "the log of that node's agent"));
        }
    }

    private void terminating(LogicalVolume volume, String subject, String node) {
        var waiting = overview.since(volume.object().deletionTimestamp());
        if (waiting.compareTo(PATIENCE) > 0) {
            found.add(
                    Finding.warning(
                            subject,
                            "it has been waiting for its removal for "
                                    + Cell.text(waiting)
                                    + "; finalizers: "
                                    + String.join(", ", volume.object().finalizers()),
                            "the log of the agent of node " + node));
        }
    }

    private boolean old(KubeObject object) {
        return overview.age(object).compareTo(PATIENCE) > 0;
    }

    /** A version before this one made copies that show more than their source did. */
    private void blockCopy(LogicalVolume volume) {
        boolean judged =
                volume.object().annotation(volume.driver().sourceModeAnnotation()).isPresent();
        if (judged || volume.spec().source().isEmpty() || !mode(volume).equals("Block")) {
            return;
        }
        var source = named(volume.spec().source());
        var origin = source.flatMap(from -> named(from.spec().source()));
        if (Stream.of(source, origin)
                .flatMap(Optional::stream)
                .anyMatch(from -> mode(from).equals("Filesystem"))) {
            found.add(
                    Finding.note(
                            "LogicalVolume " + volume.name(),
                            "it is a Block copy of a filesystem's volume, and was made before such"
                                    + " copies were refused: of a thick class it may show what"
                                    + " earlier volumes left on the disks",
                            "docs/safety.md, 45; delete it if its users may not see that"));
        }
    }

    private Optional<LogicalVolume> named(String name) {
        return overview.volumes().stream().filter(v -> v.name().equals(name)).findFirst();
    }

    private static String mode(LogicalVolume volume) {
        return volume.object().annotation(volume.driver().volumeModeAnnotation()).orElse("");
    }

    private void oldBlocks(KubeObject volume) {
        if (Access.Mount.showsOldBlocks(volume.list("spec", "mountOptions").texts())) {
            found.add(
                    Finding.warning(
                            "PersistentVolume " + volume.name(),
                            "it is mounted with data=writeback: after a crash its files may show"
                                    + " what earlier volumes left on the disks",
                            "take the option out of spec.mountOptions, and start its pods anew"));
        }
    }

    private void orphan(LogicalVolume volume) {
        if (old(volume.object())) {
            found.add(
                    Finding.warning(
                            "LogicalVolume " + volume.name(),
                            "neither a PersistentVolume nor a snapshot names it; it takes space on"
                                    + " node "
                                    + volume.spec().nodeName(),
                            "restore its PersistentVolume, or delete the LogicalVolume with its"
                                    + " data"));
        }
    }

    private void withoutObject() {
        var known =
                overview.volumes().stream()
                        .map(LogicalVolume::volumeName)
                        .collect(Collectors.toSet());
        for (var volume : overview.persistentVolumes()) {
            var handle = Overview.handle(volume);
            if (!known.contains(handle) && !volume.terminating()) {
                found.add(
                        Finding.error(
                                "PersistentVolume " + volume.name(),
                                "it has no LogicalVolume, so no pod can mount it",
                                "lvms volumes --adopt=" + handle + ", if a node reports it"));
            }
        }
    }

    private void retained(KubeObject volume) {
        found.add(
                Finding.note(
                        "PersistentVolume " + volume.name(),
                        "no claim has it; the last one was "
                                + Overview.claimOf(volume).orElse("none"),
                        "delete it to free its space, or remove its claimRef to use it again"));
    }
}
