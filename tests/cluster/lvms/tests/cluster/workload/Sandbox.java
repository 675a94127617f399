package lvms.tests.cluster.workload;

import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A namespace of one test: what is created here is gone after {@link #clear}, volumes too. */
public final class Sandbox {
    private static final Duration DEADLINE = Duration.ofSeconds(240);

    private final Product product;
    private final String namespace;
    private final List<ObjectKey> classes = new ArrayList<>();

    private Sandbox(Product product, String namespace) {
        this.product = product;
        this.namespace = namespace;
    }

    /** Creates the namespace, which must not exist. */
    public static Sandbox open(Product product, String name)
            throws ApiException, InterruptedException {
        var unique = name + "-" + Long.toString(System.nanoTime() & 0xffffff, 36);
        var object = KubeObject.create(Types.NAMESPACE, ObjectKey.cluster(unique));
        product.kube().create(Types.NAMESPACE, object);
        return new Sandbox(product, unique);
    }

    /** Returns the name of the namespace. */
    public String namespace() {
        return namespace;
    }

    private KubeClient kube() {
        return product.kube();
    }

    /** Returns how long this waits, and what it says in the end. */
    public Patience patience() {
        return product.patience(DEADLINE, namespace);
    }

    public void create(Claim claim) throws ApiException, InterruptedException {
        kube().create(Types.PVC, claim.object(namespace));
    }

    public void create(Pod pod) throws ApiException, InterruptedException {
        kube().create(Types.POD, pod.object(namespace));
    }

    /** Creates a claim and a pod of the same name that has it, and waits until it is ready. */
    public KubeObject start(Claim claim) throws Exception {
        create(claim);
        var pod = Pod.of(claim.name());
        boolean block = claim.volumeMode().equals("Block");
        create(block ? pod.device("data", claim.name()) : pod.mount("data", claim.name()));
        return awaitReady(claim.name());
    }

    /** Creates an object of this namespace from YAML without apiVersion, kind and metadata. */
    public void create(ResourceType type, String name, String yaml)
            throws ApiException, InterruptedException {
        var object = KubeObject.of(Yaml.read(yaml).asObject());
        var key = ObjectKey.of(namespace, name);
        for (var part : KubeObject.create(type, key).json().members().entrySet()) {
            object = object.with(part.getValue(), part.getKey());
        }
        kube().create(type, object);
    }

    /** Creates a snapshot of a claim and waits until it can be used. */
    public void snapshot(String name, String claim) throws Exception {
        create(
                Types.VOLUME_SNAPSHOT,
                name,
                "spec: {volumeSnapshotClassName: %s, source: {persistentVolumeClaimName: %s}}"
                        .formatted(Product.THIN_CLASS, claim));
        awaitSnapshot(name);
    }

    /** Waits until a snapshot can be used. */
    public void awaitSnapshot(String name) throws Exception {
        patience()
                .until(
                        "snapshot " + name + " is ready",
                        () ->
                                find(Types.VOLUME_SNAPSHOT, name)
                                        .flatMap(s -> s.flag("status", "readyToUse"))
                                        .orElse(false));
    }

    /** Creates a StorageClass that lives as long as this; returns its name. */
    public String storageClass(String suffix, String deviceClass, String fsType, String binding)
            throws ApiException, InterruptedException {
        var key = ObjectKey.cluster(namespace + "-" + suffix);
        var yaml =
                """
                provisioner: topolvm.io
                allowVolumeExpansion: true
                volumeBindingMode: %s
                parameters:
                  topolvm.io/device-class: %s
                  csi.storage.k8s.io/fstype: %s
                """
                        .formatted(binding, deviceClass, fsType);
        var object = KubeObject.create(Types.STORAGE_CLASS, key);
        for (var part : Yaml.read(yaml).asObject().members().entrySet()) {
            object = object.with(part.getValue(), part.getKey());
        }
        kube().create(Types.STORAGE_CLASS, object);
        classes.add(key);
        return key.name();
    }

    /** Returns the VolumeSnapshotContent of a snapshot that can be used. */
    public KubeObject contentOf(String snapshot) throws ApiException, InterruptedException {
        var name =
                find(Types.VOLUME_SNAPSHOT, snapshot)
                        .flatMap(s -> s.text("status", "boundVolumeSnapshotContentName"))
                        .orElseThrow();
        return kube().get(Types.VOLUME_SNAPSHOT_CONTENT, ObjectKey.cluster(name));
    }

    /** Reads an object of the namespace. */
    public Optional<KubeObject> find(ResourceType type, String name)
            throws ApiException, InterruptedException {
        return kube().find(type, ObjectKey.of(namespace, name));
    }

    /** Waits until a pod is ready. */
    public KubeObject awaitReady(String pod) throws Exception {
        patience()
                .until(
                        "pod " + pod + " is ready",
                        () ->
                                find(Types.POD, pod)
                                        .filter(p -> Product.holds(p, "Ready"))
                                        .isPresent());
        return find(Types.POD, pod).orElseThrow();
    }

    /** Waits until a claim is bound. */
    public KubeObject awaitBound(String claim) throws Exception {
        patience().until("claim " + claim + " is bound", () -> phase(claim).equals("Bound"));
        return find(Types.PVC, claim).orElseThrow();
    }

    /** Returns how often the container of a pod was restarted. */
    public long restarts(String pod) throws ApiException, InterruptedException {
        return find(Types.POD, pod).stream()
                .flatMap(p -> p.objects("status", "containerStatuses").stream())
                .mapToLong(c -> KubeObject.of(c).number("restartCount").orElse(0))
                .sum();
    }

    /** Returns the phase of a claim; empty if there is none. */
    public String phase(String claim) throws ApiException, InterruptedException {
        return find(Types.PVC, claim).flatMap(c -> c.text("status", "phase")).orElse("");
    }

    /** Asks for a larger volume. */
    public void grow(String claim, String size) throws ApiException, InterruptedException {
        var patch = Yaml.read("spec: {resources: {requests: {storage: " + size + "}}}").asObject();
        kube().mergePatch(Types.PVC, ObjectKey.of(namespace, claim), patch);
    }

    /** Waits until the status of a claim has a size. */
    public void awaitCapacity(String claim, String size) throws Exception {
        var wanted = Quantity.parse(size);
        patience()
                .untilNothingMissing(
                        "claim " + claim + " has " + size,
                        () -> {
                            var object = find(Types.PVC, claim).orElseThrow();
                            var has = object.value("status", "capacity", "storage");
                            return has.isPresent() && Quantity.parse(has.get()).equals(wanted)
                                    ? ""
                                    : object.object("status").toString();
                        });
    }

    /** Deletes an object and does not wait. */
    public void delete(ResourceType type, String name) throws ApiException, InterruptedException {
        kube().delete(type, ObjectKey.of(namespace, name), DeleteOptions.any());
    }

    /** Deletes an object and waits until it is gone. */
    public void remove(ResourceType type, String name) throws Exception {
        delete(type, name);
        awaitGone(type, name);
    }

    /** Waits until an object is gone. */
    public void awaitGone(ResourceType type, String name) throws Exception {
        patience().until(type.kind() + " " + name + " is gone", () -> find(type, name).isEmpty());
    }

    /** Runs a script in a pod and returns what it printed; a failure is an exception. */
    public String run(String pod, String script) throws IOException, InterruptedException {
        return product.kubectl("exec", "--namespace=" + namespace, pod, "--", "sh", "-euc", script);
    }

    /** Writes random bytes with fsync and returns their checksum. */
    public String write(String pod, String file, int mib) throws IOException, InterruptedException {
        return run(
                pod,
                "dd if=/dev/urandom of=%s bs=1M count=%d conv=fsync,notrunc 2>/dev/null; %s"
                        .formatted(file, mib, checksumScript(file, mib)));
    }

    /** Returns the checksum of the first bytes of a file or device. */
    public String checksum(String pod, String file, int mib)
            throws IOException, InterruptedException {
        return run(pod, checksumScript(file, mib));
    }

    private static String checksumScript(String file, int mib) {
        return "dd if=%s bs=1M count=%d 2>/dev/null | sha256sum | cut -c1-64".formatted(file, mib);
    }

    public String nodeOf(String pod) throws ApiException, InterruptedException {
        return find(Types.POD, pod).flatMap(p -> p.text("spec", "nodeName")).orElse("");
    }

    /** Returns the PersistentVolume of a claim. */
    public KubeObject volumeOf(String claim) throws ApiException, InterruptedException {
        var name = find(Types.PVC, claim).flatMap(c -> c.text("spec", "volumeName")).orElseThrow();
        return kube().get(Types.PV, ObjectKey.cluster(name));
    }

    public LogicalVolume logicalVolumeOf(String claim) throws ApiException, InterruptedException {
        var handle = volumeOf(claim).text("spec", "csi", "volumeHandle").orElseThrow();
        return kube().list(LogicalVolume.TYPE, ListOptions.all()).items().stream()
                .map(LogicalVolume::of)
                .filter(volume -> volume.status().volumeId().equals(handle))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the notes of the events about an object of a name. */
    public List<String> events(String name) throws ApiException, InterruptedException {
        return kube().list(Types.EVENT, ListOptions.all().namespace(namespace)).items().stream()
                .filter(e -> e.text("regarding", "name").filter(name::equals).isPresent())
                .map(e -> e.text("reason").orElse("") + ": " + e.text("note").orElse(""))
                .toList();
    }

    /** Waits for an event about an object whose text holds all the words; returns it. */
    public String awaitEvent(String name, String... words) throws Exception {
        patience()
                .untilNothingMissing(
                        "event of " + name + " with " + List.of(words),
                        () -> eventWith(name, words).isPresent() ? "" : events(name).toString());
        return eventWith(name, words).orElseThrow();
    }

    private Optional<String> eventWith(String name, String... words)
            throws ApiException, InterruptedException {
        return events(name).stream()
                .filter(event -> List.of(words).stream().allMatch(event::contains))
                .findFirst();
    }

    /** Deletes the namespace with all in it, and waits until its pods and volumes are gone. */
    public void clear() throws Exception {
        for (var type : List.of(Types.POD, Types.VOLUME_SNAPSHOT, Types.PVC)) {
            for (var object : product.all(type)) {
                if (object.namespace().equals(namespace)) {
                    kube().delete(type, object.key(), DeleteOptions.any());
                }
            }
        }
        kube().delete(Types.NAMESPACE, ObjectKey.cluster(namespace), DeleteOptions.any());
        patience().untilNothingMissing("all of " + namespace + " is gone", this::left);
        for (var key : classes) {
            kube().delete(Types.STORAGE_CLASS, key, DeleteOptions.any());
        }
    }

    private String left() throws ApiException, InterruptedException {
        var left = new ArrayList<String>();
        var inside = ListOptions.all().namespace(namespace);
        kube().list(Types.POD, inside).items().forEach(pod -> left.add(pod.name()));
        for (var volume : product.all(Types.PV)) {
            if (volume.text("spec", "claimRef", "namespace")
                    .filter(namespace::equals)
                    .isPresent()) {
                left.add(volume.name());
            }
        }
        return String.join(" ", left);
    }
}
