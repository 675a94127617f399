package lvms.operator.unit;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.operator.agent.OperatorImage;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A pod that reads a node, such as its disks, prints what it found and ends. It sees what the agent
 * sees of the machine, through mounts that cannot be written to.
 */
public final class DiskPod {
    /** Labels of each such pod. */
    public static final Map<String, String> LABELS =
            Map.of(
                    "app.kubernetes.io/name", "lvms-disks",
                    "app.kubernetes.io/part-of", "lvms-provisioner");

    /** The container that prints what it found. */
    public static final String CONTAINER = "disks";

    /** How long such a pod lives at most, even if nobody removes it. */
    public static final int LIFE_SECONDS = 300;

    // The processes of the host tell who uses a disk, and reading a disk takes its device.
    private static final String POD =
            """
            {
              "hostPID": true,
              "automountServiceAccountToken": false,
              "enableServiceLinks": false,
              "restartPolicy": "Never",
              "terminationGracePeriodSeconds": 0,
              "tolerations": [{"operator": "Exists"}]
            }
            """;

    // kubelet mounts a file for the message of the end. Below /dev, where it is by default, nobody
    // could make it: that is the host's and cannot be written.
    private static final String COMMAND =
            """
            {
              "name": "disks",
              "imagePullPolicy": "IfNotPresent",
              "terminationMessagePath": "/run/termination-log",
              "securityContext": {
                "privileged": true, "runAsUser": 0, "readOnlyRootFilesystem": true
              }
            }
            """;

    private DiskPod() {}

    /**
     * Returns a pod that is not bound by a scheduler, so that it also runs where no other may.
     *
     * @param image has lvms in it
     * @param words what lvms is to do, such as {@code disks --local -o=json}
     */
    public static KubeObject of(
            ObjectKey key, String node, OperatorImage image, List<String> words) {
        var mounts = HostMount.toRead();
        var volumes = ListTree.builder();
        var places = ListTree.builder();
        mounts.forEach(mount -> volumes.add(mount.volume()));
        mounts.forEach(mount -> places.add(mount.mount()));
        var container =
                Json.parse(COMMAND)
                        .asObject()
                        .with(Tree.of(image.name()), "image")
                        .with(ListTree.ofTexts(command(words)), "command")
                        .with(places.build(), "volumeMounts");
        var pod = Json.parse(POD).asObject().toBuilder();
        pod.put("nodeName", node); // a node that takes no new pods has disks too
        pod.put("activeDeadlineSeconds", LIFE_SECONDS);
        pod.put("containers", Trees.of(List.of(container)));
        pod.put("volumes", volumes.build());
        pod.put("imagePullSecrets", secrets(image));
        return KubeObject.create(Types.POD, key)
                .with(Trees.of(LABELS), "metadata", "labels")
                .with(pod.build(), "spec");
    }

    private static List<String> command(List<String> words) {
        return Stream.concat(Stream.of("/opt/lvms/bin/lvms"), words.stream()).toList();
    }

    private static ListTree secrets(OperatorImage image) {
        var names = ListTree.builder();
        for (var name : image.pullSecrets()) {
            names.add(ObjectTree.builder().put("name", name).build());
        }
        return names.build();
    }
}
