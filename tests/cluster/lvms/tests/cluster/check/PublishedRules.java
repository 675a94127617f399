package lvms.tests.cluster.check;

import static lvms.tests.cluster.check.Disagreement.Kind.DIFFERENT;
import static lvms.tests.cluster.check.Disagreement.Kind.FORGOTTEN;
import static lvms.tests.cluster.check.Disagreement.Kind.LEAKED;
import static lvms.tests.cluster.check.Disagreement.Kind.LOST;

import lvms.api.Names;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.lvm2.filesystem.Mount;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is published on a node is of a pod that is there, and a pod that runs has its volumes. */
final class PublishedRules {
    /** Where kubelet lets the volumes of pods be mounted: {@code pods/UID/volumes/.../PV/mount}. */
    private static final Pattern POD_VOLUME =
            Pattern.compile(".*/pods/([^/]+)/volumes/kubernetes\\.io~csi/([^/]+)(/mount)?");

    /** Where block volumes are published, and where kubelet maps them: {@code .../UID}. */
    private static final Pattern POD_DEVICE =
            Pattern.compile(
                    ".*/kubernetes\\.io/csi/volumeDevices/(publish/[^/]+|[^/]+/dev)/([^/]+)");

    /** What kubelet makes before it publishes a filesystem: a folder named after the volume. */
    private static final Pattern STAGED =
            Pattern.compile(".*/kubernetes\\.io/csi/topolvm\\.io/([0-9a-f]{64})/globalmount");

    private static final String PUBLISH = "publish/";

    private final ClusterView cluster;
    private final NodeView node;
    private final List<Disagreement> found = new ArrayList<>();

    private PublishedRules(ClusterView cluster, NodeView node) {
        this.cluster = cluster;
        this.node = node;
    }

    static List<Disagreement> check(ClusterView cluster, List<NodeView> nodes) {
        var found = new ArrayList<Disagreement>();
        for (var node : nodes) {
            var rules = new PublishedRules(cluster, node);
            node.mounts().mounts().forEach(mount -> rules.owned("mount", mount.mountPoint()));
            node.loops().forEach((loop, file) -> rules.owned(loop + " on", Path.of(file)));
            node.paths().forEach(path -> rules.owned("path", Path.of(path)));
            rules.staged();
            rules.nowhereElse();
            cluster.pods().forEach(rules::pod);
            found.addAll(rules.found);
        }
        return found;
    }

    private void owned(String what, Path path) {
        var uid = podOf(path.toString());
        if (uid.isPresent() && cluster.pod(node.node(), uid.get()).isEmpty()) {
            boolean folder = what.equals("path") && isPodsFolder(path.toString());
            var kind = folder || isPublished(path.toString()) ? FORGOTTEN : LEAKED;
            add(kind, what + " " + path + ": the pod is gone");
        }
    }

    /** Returns whether it is the publication of a raw device whose volume is still there. */
    private boolean isPublished(String path) {
        var device = POD_DEVICE.matcher(path);
        return device.matches()
                && device.group(1).startsWith(PUBLISH)
                && isThere(device.group(1).substring(PUBLISH.length()));
    }

    /** Returns whether it is a pod's folder for a volume that is still there. */
    private boolean isPodsFolder(String path) {
        var folder = POD_VOLUME.matcher(path);
        return folder.matches() && isThere(folder.group(2));
    }

    private boolean isThere(String persistentVolume) {
        return cluster.persistentVolumes().stream()
                .anyMatch(volume -> volume.name().equals(persistentVolume));
    }

    private static Optional<String> podOf(String path) {
        var volume = POD_VOLUME.matcher(path);
        if (volume.matches()) {
            return Optional.of(volume.group(1));
        }
        var device = POD_DEVICE.matcher(path);
        return device.matches() ? Optional.of(device.group(2)) : Optional.empty();
    }

    private void staged() {
        var used = cluster.pods().stream().flatMap(this::volumesOf).map(ClusterView::handle);
        var names = used.map(PublishedRules::sha256).collect(Collectors.toSet());
        for (var path : node.paths()) {
            var folder = STAGED.matcher(path);
            if (folder.matches() && !names.contains(folder.group(1))) {
                add(LEAKED, "path " + path + ": no pod has a volume of that name");
            }
        }
    }

    /** The volumes of a pod that is on this node. */
    private Stream<KubeObject> volumesOf(KubeObject pod) {
        if (pod.text("spec", "nodeName").filter(node.node()::equals).isEmpty()) {
            return Stream.of();
        }
        return pod.objects("spec", "volumes").stream()
                .flatMap(volume -> claimOf(pod, KubeObject.of(volume)).stream())
                .flatMap(claim -> volumeOf(ObjectKey.of(pod.namespace(), claim)).stream());
    }

    private static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e); // every Java has it
        }
    }

    private void nowhereElse() {
        for (var volume : node.userVolumes(Names.VOLUME_GROUP_TAG)) {
            for (var mount : node.mounts().mounts()) {
                if (volume.device().filter(deviceOf(mount)::equals).isPresent()
                        && podOf(mount.mountPoint().toString()).isEmpty()) {
                    add(LEAKED, volume.name() + " is mounted at " + mount.mountPoint());
                }
            }
        }
    }

    private void pod(KubeObject pod) {
        boolean ready = pod.condition("Ready").filter(Condition::holds).isPresent();
        if (ready && !pod.terminating()) {
            volumesOf(pod).forEach(persistentVolume -> mounted(pod, persistentVolume));
        }
    }

    private static Optional<String> claimOf(KubeObject pod, KubeObject volume) {
        if (volume.object("ephemeral").isPresent()) {
            return Optional.of(pod.name() + "-" + volume.text("name").orElse(""));
        }
        return volume.text("persistentVolumeClaim", "claimName");
    }

    private Optional<KubeObject> volumeOf(ObjectKey claim) {
        return cluster.persistentVolumes().stream()
                .filter(pv -> claimOf(pv).equals(claim))
                .findFirst();
    }

    private static ObjectKey claimOf(KubeObject persistentVolume) {
        return ObjectKey.of(
                persistentVolume.text("spec", "claimRef", "namespace").orElse(""),
                persistentVolume.text("spec", "claimRef", "name").orElse(""));
    }

    private void mounted(KubeObject pod, KubeObject persistentVolume) {
        if (persistentVolume.text("spec", "volumeMode").filter("Block"::equals).isPresent()) {
            return; // the container has a device node of its own, no mount
        }
        var mount = mountOf(pod.uid(), persistentVolume.name());
        var place = "pod " + pod.key() + ", " + persistentVolume.name();
        if (mount.isEmpty()) {
            add(LOST, place + " is not mounted");
            return;
        }
        var device = deviceOf(mount.get());
        boolean anonymous = device.startsWith("0:"); // btrfs
        var id = ClusterView.handle(persistentVolume);
        var volume = node.volumes().stream().filter(v -> v.name().equals(id)).findFirst();
        if (!anonymous && !volume.flatMap(NodeView.Volume::device).equals(Optional.of(device))) {
            add(DIFFERENT, place + ": " + device + " is mounted, not " + volume);
        }
    }

    private Optional<Mount> mountOf(String pod, String persistentVolume) {
        var end = "pods/" + pod + "/volumes/kubernetes.io~csi/" + persistentVolume + "/mount";
        return node.mounts().mounts().reversed().stream()
                .filter(mount -> mount.mountPoint().endsWith(end))
                .findFirst();
    }

    private static String deviceOf(Mount mount) {
        return mount.device().toString();
    }

    private void add(Disagreement.Kind kind, String text) {
        found.add(new Disagreement(kind, node.node(), text));
    }
}
