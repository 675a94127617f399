package lvms.tests.cluster.workload;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A pod that waits to be told to end, or does what a script says, and has volumes: filesystems
 * below {@code /}, devices below {@code /dev}, each under the name of its volume.
 *
 * @param script what its shell runs; its failure is the container's
 * @param volumes how each volume is defined, and whether it is a device
 * @param nodeSelector labels that its node must have
 */
public record Pod(
        String name, String script, List<Volume> volumes, Map<String, String> nodeSelector) {
    /** The image of all test pods: busybox. */
    public static final String IMAGE = "localhost/test:1";

    private static final String WAIT = "trap 'exit 0' TERM; sleep 86400 & wait";

    public record Volume(String name, ObjectTree definition, boolean device, boolean readOnly) {}

    /** A pod without volumes. */
    public static Pod of(String name) {
        return new Pod(name, WAIT, List.of(), Map.of());
    }

    /** The usual pod: its claim at {@code /data}. */
    public static Pod with(String name, String claim) {
        return of(name).mount("data", claim);
    }

    /** The same with the filesystem of a claim. */
    public Pod mount(String volume, String claim) {
        return plus(new Volume(volume, claimed(claim), false, false));
    }

    /** The same with the filesystem of a claim, which it cannot write. */
    public Pod mountReadOnly(String volume, String claim) {
        return plus(new Volume(volume, claimed(claim), false, true));
    }

    /** The same with the filesystem of a claim that is published read-only to it. */
    public Pod publishReadOnly(String volume, String claim) {
        var definition = tree("persistentVolumeClaim: {claimName: " + claim + ", readOnly: true}");
        return plus(new Volume(volume, definition, false, false));
    }

    /** The same with the device of a claim. */
    public Pod device(String volume, String claim) {
        return plus(new Volume(volume, claimed(claim), true, false));
    }

    /** The same with a generic ephemeral volume: a claim that comes and goes with the pod. */
    public Pod ephemeral(String volume, String storageClass, String size) {
        return ephemeral(volume, storageClass, size, false);
    }

    /** The same with a generic ephemeral volume, as a filesystem or as a device. */
    public Pod ephemeral(String volume, String storageClass, String size, boolean device) {
        var definition =
                """
                ephemeral:
                  volumeClaimTemplate:
                    spec:
                      storageClassName: %s
                      volumeMode: %s
                      accessModes: [ReadWriteOnce]
                      resources:
                        requests:
                          storage: %s
                """
                        .formatted(storageClass, device ? "Block" : "Filesystem", size);
        return plus(new Volume(volume, tree(definition), device, false));
    }

    /** The same, for one node only. */
    public Pod on(String node) {
        return new Pod(name, script, volumes, Map.of("kubernetes.io/hostname", node));
    }

    /** The same with something to do. */
    public Pod running(String command) {
        return new Pod(name, command, volumes, nodeSelector);
    }

    private Pod plus(Volume volume) {
        var all = new ArrayList<>(volumes);
        all.add(volume);
        return new Pod(name, script, List.copyOf(all), nodeSelector);
    }

    private static ObjectTree claimed(String claim) {
        return tree("persistentVolumeClaim: {claimName: " + claim + "}");
    }

    private static ObjectTree tree(String yaml) {
        return Yaml.read(yaml).asObject();
    }

    public KubeObject object(String namespace) {
        return KubeObject.create(Types.POD, ObjectKey.of(namespace, name)).with(spec(), "spec");
    }

    /** Returns the spec, which is also that of a template. */
    public Tree spec() {
        var container =
                tree(
                        """
                        name: main
                        image: %s
                        imagePullPolicy: IfNotPresent
                        """
                                .formatted(IMAGE))
                        .toBuilder();
        var command = ListTree.builder();
        List.of("sh", "-euc", script).forEach(command::add);
        container.put("command", command.build());
        container.put("volumeMounts", places(false));
        container.put("volumeDevices", places(true));
        var containers = ListTree.builder();
        containers.add(container.build());
        var spec =
                tree("{terminationGracePeriodSeconds: 1, enableServiceLinks: false}").toBuilder();
        spec.put("containers", containers.build());
        var definitions = ListTree.builder();
        for (var volume : volumes) {
            var definition = volume.definition().toBuilder();
            definition.put("name", volume.name());
            definitions.add(definition.build());
        }
        spec.put("volumes", definitions.build());
        if (!nodeSelector.isEmpty()) {
            var labels = ObjectTree.builder();
            nodeSelector.forEach(labels::put);
            spec.put("nodeSelector", labels.build());
        }
        return spec.build();
    }

    private ListTree places(boolean devices) {
        var places = ListTree.builder();
        for (var volume : volumes) {
            if (volume.device() == devices) {
                var place = ObjectTree.builder();
                place.put("name", volume.name());
                place.put(
                        devices ? "devicePath" : "mountPath",
                        (devices ? "/dev/" : "/") + volume.name());
                if (volume.readOnly()) {
                    place.put("readOnly", true);
                }
                places.add(place.build());
            }
        }
        return places.build();
    }
}
