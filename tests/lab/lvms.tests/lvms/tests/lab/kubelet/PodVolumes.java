package lvms.tests.lab.kubelet;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.NodeSelector;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The volumes of one pod: what stands behind each name. */
final class PodVolumes {
    /** A claim's volume that is mounted, with the claim's name. */
    record Claimed(String claim, Volumes.Published published) {}

    private final KubeClient kube;
    private final String nodeName;
    private final Volumes volumes;
    private final Place place;
    private final Map<String, Claimed> claimed = new ConcurrentHashMap<>();

    PodVolumes(KubeClient kube, String nodeName, Volumes volumes, Place place) {
        this.kube = kube;
        this.nodeName = nodeName;
        this.volumes = volumes;
        this.place = place;
    }

    Map<String, Claimed> claimed() {
        return claimed;
    }

    /** Makes every volume of the pod ready; returns volume name to path. May be called again. */
    Map<String, String> prepare(KubeObject pod)
            throws VolumeFailure, ApiException, IOException, InterruptedException {
        var sources = new HashMap<String, String>();
        for (var volume : pod.objects("spec", "volumes")) {
            sources.put(volume.at("name").asText(), source(pod, volume));
        }
        return sources;
    }

    private String source(KubeObject pod, ObjectTree volume)
            throws VolumeFailure, ApiException, IOException, InterruptedException {
        var name = volume.at("name").asText();
        if (volume.has("hostPath")) {
            return hostPath(volume.at("hostPath").asObject());
        }
        if (volume.has("emptyDir")) {
            var folder = place.podFolder(pod.uid()) + "/volumes/kubernetes.io~empty-dir/" + name;
            return folder(folder);
        }
        if (volume.has("secret")) {
            var secret = volume.at("secret").asObject();
            return files(
                    pod, name, Types.SECRET, secret.at("secretName").asText(), optional(secret));
        }
        if (volume.has("configMap")) {
            var map = volume.at("configMap").asObject();
            return files(pod, name, Types.CONFIG_MAP, map.at("name").asText(), optional(map));
        }
        if (volume.has("persistentVolumeClaim")) {
            return claim(pod, name, volume.at("persistentVolumeClaim").asObject());
        }
        throw new VolumeFailure("the lab has no volumes of " + volume.members().keySet());
    }

    private static boolean optional(ObjectTree source) {
        return source.has("optional") && source.at("optional").flag().orElseThrow();
    }

    private String hostPath(ObjectTree hostPath)
            throws VolumeFailure, IOException, InterruptedException {
        var path = hostPath.at("path").asText();
        var trimmed =
                path.length() > 1 && path.endsWith("/")
                        ? path.substring(0, path.length() - 1)
                        : path;
        var type = hostPath.has("type") ? hostPath.at("type").asText() : "";
        if (type.isEmpty() || type.equals("DirectoryOrCreate")) {
            // Without a type nothing is checked, and containerd makes what is missing.
            return folder(trimmed);
        }
        if (!place.run(java.util.List.of("test", "-e", trimmed), Kubelet.SHORT).succeeded()) {
            throw new VolumeFailure("hostPath type check failed: " + path + " is not there");
        }
        return trimmed;
    }

    private String folder(String path) throws IOException, InterruptedException {
        place.run(
                        java.util.List.of("sh", "-c", "test -e " + path + " || mkdir -p " + path),
                        Kubelet.SHORT)
                .require("mkdir " + path);
        return path;
    }

    private String files(
            KubeObject pod, String volume, ResourceType type, String name, boolean optional)
            throws VolumeFailure, ApiException, IOException, InterruptedException {
        var object = kube.find(type, ObjectKey.of(pod.namespace(), name));
        if (object.isEmpty() && !optional) {
            throw new VolumeFailure(type.kind() + " \"" + name + "\" not found");
        }
        var folder = Files.createDirectories(place.outside().resolve(pod.uid()).resolve(volume));
        if (object.isPresent()) {
            boolean encoded = type.equals(Types.SECRET);
            for (var entry : object.get().textMap("data").entrySet()) {
                var bytes =
                        encoded
                                ? Base64.getDecoder().decode(entry.getValue())
                                : entry.getValue().getBytes();
                Files.write(folder.resolve(entry.getKey()), bytes);
            }
        }
        return place.inside() + "/" + pod.uid() + "/" + volume;
    }

    private String claim(KubeObject pod, String name, ObjectTree source)
            throws VolumeFailure, ApiException, InterruptedException {
        var claimName = source.at("claimName").asText();
        var claim = kube.find(Types.PVC, ObjectKey.of(pod.namespace(), claimName));
        var volume = volumeOf(claimName, claim.orElse(null));
        boolean readOnly = source.has("readOnly") && source.at("readOnly").flag().orElseThrow();
        var published = volumes.mount(pod, volume, readOnly);
        claimed.put(name, new Claimed(claimName, published));
        return published.paths().target();
    }

    /** The bound volume of a claim, after the checks that kubelet makes. */
    CsiVolume volumeOf(String claimName, KubeObject claim)
            throws VolumeFailure, ApiException, InterruptedException {
        if (claim == null) {
            throw new VolumeFailure("persistentvolumeclaim \"" + claimName + "\" not found");
        }
        if (!claim.text("status", "phase").orElse("").equals("Bound")) {
            throw new VolumeFailure("persistentvolumeclaim \"" + claimName + "\" is not bound");
        }
        var name = claim.text("spec", "volumeName").orElseThrow();
        var volume = kube.get(Types.PV, ObjectKey.cluster(name));
        if (!volume.text("spec", "claimRef", "uid").orElse("").equals(claim.uid())) {
            throw new VolumeFailure("volume " + name + " is not bound to claim " + claimName);
        }
        checkAffinity(volume);
        return new CsiVolume(volume);
    }

    private void checkAffinity(KubeObject volume)
            throws VolumeFailure, ApiException, InterruptedException {
        var required = volume.object("spec", "nodeAffinity", "required");
        if (required.isEmpty()) {
            return;
        }
        var node = kube.get(Types.NODE, ObjectKey.cluster(nodeName));
        if (!NodeSelector.of(required.get()).matches(node)) {
            throw new VolumeFailure(
                    "volume " + volume.name() + " cannot be used on node " + nodeName);
        }
    }

    /** Takes down what is mounted. */
    void release(KubeObject pod) throws VolumeFailure, InterruptedException {
        for (var entry : Map.copyOf(claimed).entrySet()) {
            volumes.unmount(pod.uid(), entry.getValue().published());
            claimed.remove(entry.getKey());
        }
    }
}
