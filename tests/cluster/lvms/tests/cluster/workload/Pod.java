package lvms.tests.cluster.workload;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
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

    public record Volume(String name, JsonObject definition, boolean device, boolean readOnly) {}

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

    /** The same with the device of a claim. */
    public Pod device(String volume, String claim) {
        return plus(new Volume(volume, claimed(claim), true, false));
    }

    /** The same with a generic ephemeral volume: a claim that comes and goes with the pod. */
    public Pod ephemeral(String volume, String storageClass, String size) {
        var definition =
                """
                ephemeral:
                  volumeClaimTemplate:
                    spec:
                      storageClassName: %s
                      accessModes: [ReadWriteOnce]
                      resources:
                        requests:
                          storage: %s
                """
                        .formatted(storageClass, size);
        return plus(new Volume(volume, tree(definition), false, false));
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

    private static JsonObject claimed(String claim) {
        return tree("persistentVolumeClaim: {claimName: " + claim + "}");
    }

    private static JsonObject tree(String yaml) {
        return Yaml.read(yaml).getAsJsonObject();
    }

    public KubeObject object(String namespace) {
        return KubeObject.create(Types.POD, ObjectKey.of(namespace, name)).with(spec(), "spec");
    }

    /** Returns the spec, which is also that of a template. */
    public JsonElement spec() {
        var container =
                tree(
                        """
                        name: main
                        image: %s
                        imagePullPolicy: IfNotPresent
                        """
                                .formatted(IMAGE));
        var command = new JsonArray();
        List.of("sh", "-euc", script).forEach(command::add);
        container.add("command", command);
        container.add("volumeMounts", places(false));
        container.add("volumeDevices", places(true));
        var containers = new JsonArray();
        containers.add(container);
        var spec = tree("{terminationGracePeriodSeconds: 1, enableServiceLinks: false}");
        spec.add("containers", containers);
        var definitions = new JsonArray();
        for (var volume : volumes) {
            var definition = volume.definition().deepCopy();
            definition.addProperty("name", volume.name());
            definitions.add(definition);
        }
        spec.add("volumes", definitions);
        if (!nodeSelector.isEmpty()) {
            var labels = new JsonObject();
            nodeSelector.forEach(labels::addProperty);
            spec.add("nodeSelector", labels);
        }
        return spec;
    }

    private JsonArray places(boolean devices) {
        var places = new JsonArray();
        for (var volume : volumes) {
            if (volume.device() == devices) {
                var place = new JsonObject();
                place.addProperty("name", volume.name());
                place.addProperty(
                        devices ? "devicePath" : "mountPath",
                        (devices ? "/dev/" : "/") + volume.name());
                if (volume.readOnly()) {
                    place.addProperty("readOnly", true);
                }
                places.add(place);
            }
        }
        return places;
    }
}
