package lvms.operator.overview;

import lvms.api.Names;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.nativestor.SettingWatch;
import lvms.operator.uninstall.Manifests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What helps to find out from afar what went wrong: objects, Events, and the logs of operator and
 * agents. Neither Secrets nor ConfigMaps are read, but for NativeStor's settings, nor pods and
 * Events of others.
 */
public final class SupportBundle {
    private static final List<ResourceType> KINDS =
            List.of(
                    Types.PV,
                    Types.PVC,
                    Types.STORAGE_CLASS,
                    Types.CSI_DRIVER,
                    Types.CSI_NODE,
                    Types.CSI_STORAGE_CAPACITY,
                    Types.NODE);
    private static final List<ResourceType> SNAPSHOTS =
            List.of(
                    Types.VOLUME_SNAPSHOT,
                    Types.VOLUME_SNAPSHOT_CONTENT,
                    Types.VOLUME_SNAPSHOT_CLASS);

    /** Kinds of OpenShift and its package manager that explain an installation. */
    private static final List<ResourceType> PLATFORM =
            List.of(
                    new ResourceType(
                            "config.openshift.io",
                            "v1",
                            "ClusterVersion",
                            "clusterversions",
                            false),
                    new ResourceType(
                            "config.openshift.io",
                            "v1",
                            "Infrastructure",
                            "infrastructures",
                            false),
                    new ResourceType(
                            "security.openshift.io",
                            "v1",
                            "SecurityContextConstraints",
                            "securitycontextconstraints",
                            false),
                    packages("ClusterServiceVersion", "clusterserviceversions"),
                    packages("Subscription", "subscriptions"),
                    packages("InstallPlan", "installplans"));

    /** Kinds of which those in our namespaces are taken. */
    private static final List<ResourceType> OURS =
            List.of(
                    Types.DEPLOYMENT,
                    Types.DAEMON_SET,
                    Types.REPLICA_SET,
                    Types.SERVICE,
                    Types.SERVICE_ACCOUNT,
                    Types.NETWORK_POLICY,
                    Types.LEASE,
                    Types.ROLE,
                    Types.ROLE_BINDING);

    private static ResourceType packages(String kind, String plural) {
        return new ResourceType("operators.coreos.com", "v1alpha1", kind, plural, true);
    }

    /** Kinds whose Events are taken in every namespace. */
    private static final Set<String> REGARDED =
            Set.of(
                    "LVMCluster",
                    "LVMVolumeGroup",
                    "LVMVolumeGroupNodeStatus",
                    "LogicalVolume",
                    "TopolvmCluster",
                    "RawDevice",
                    "PersistentVolume",
                    "PersistentVolumeClaim",
                    "VolumeSnapshot",
                    "VolumeSnapshotContent",
                    "Node");

    /** Takes the files, one after the other. */
    @FunctionalInterface
    public interface Sink {
        void add(String name, byte[] content) throws IOException;
    }

    private final KubeClient kube;
    private final TolerantReads reads;
    private final Sink sink;
    private final List<String> gaps = new ArrayList<>();

    private SupportBundle(KubeClient kube, Sink sink) {
        this.kube = kube;
        this.reads = new TolerantReads(kube);
        this.sink = sink;
    }

    /**
     * Collects everything.
     *
     * @param since leaves out what is older in the logs
     * @return what the caller may not read, one line each
     */
    public static List<String> collect(
            KubeClient kube, Overview overview, Optional<Instant> since, Sink sink)
            throws ApiException, IOException, InterruptedException {
        var bundle = new SupportBundle(kube, sink);
        for (var kind : ofLvms(overview)) {
            bundle.objects(kind, bundle.reads.listIfServed(kind)); // else the overview says so
        }
        for (var kind : KINDS) {
            bundle.objects(kind, bundle.reads.list(kind, ListOptions.all()));
        }
        for (var kind : SNAPSHOTS) {
            bundle.objects(kind, bundle.reads.listIfServed(kind));
        }
        for (var kind : PLATFORM) {
            bundle.objects(kind, bundle.reads.listIfServed(kind));
        }
        for (var kind : OURS) {
            bundle.objects(kind, bundle.inOurNamespaces(kind, overview));
        }
        bundle.objects(Types.POD, overview.pods().stream().map(ProductPod::object).toList());
        bundle.events(overview);
        bundle.installed(overview);
        bundle.logs(overview, since);
        bundle.gaps.addAll(bundle.reads.gaps());
        return List.copyOf(bundle.gaps);
    }

    private static List<ResourceType> ofLvms(Overview overview) {
        var kinds = new ArrayList<>(Overview.OPERATORS);
        kinds.addAll(overview.drivers().logicalVolumes());
        kinds.add(TopolvmCluster.TYPE);
        kinds.add(RawDevice.TYPE);
        return kinds;
    }

    private List<KubeObject> inOurNamespaces(ResourceType type, Overview overview)
            throws ApiException, InterruptedException {
        var found = new ArrayList<KubeObject>();
        for (var namespace : namespaces(overview)) {
            found.addAll(reads.list(type, ListOptions.all().namespace(namespace)));
        }
        return found;
    }

    private static Set<String> namespaces(Overview overview) {
        var namespaces = new TreeSet<>(Set.of(overview.namespace()));
        overview.pods().forEach(pod -> namespaces.add(pod.object().namespace()));
        return namespaces;
    }

    private void objects(ResourceType type, List<KubeObject> objects) throws IOException {
        write("objects/" + type.qualifiedPlural() + ".json", objects);
    }

    private void write(String file, List<KubeObject> objects) throws IOException {
        var list = ObjectTree.builder();
        list.put("apiVersion", "v1");
        list.put("kind", "List");
        list.put("items", ListTree.of(objects.stream().map(SupportBundle::plain).toList()));
        sink.add(file, (list.build() + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Without what is long and says nothing, or says once more what somebody applied. */
    private static ObjectTree plain(KubeObject object) {
        return object.without("metadata", "managedFields")
                .without(
                        "metadata",
                        "annotations",
                        "kubectl.kubernetes.io/last-applied-configuration")
                .json();
    }

    private void events(Overview overview) throws ApiException, IOException, InterruptedException {
        var ours = namespaces(overview);
        objects(
                Types.EVENT,
                reads.list(Types.EVENT, ListOptions.all()).stream()
                        .filter(
                                event ->
                                        ours.contains(event.namespace())
                                                || event.text("regarding", "kind")
                                                        .filter(REGARDED::contains)
                                                        .isPresent())
                        .toList());
    }

    /** The shipped objects as they are now: a role that was changed explains much. */
    private void installed(Overview overview)
            throws ApiException, IOException, InterruptedException {
        var found = new ArrayList<KubeObject>();
        var entries = new ArrayList<>(overview.installation().objects());
        entries.addAll(Manifests.guard());
        if (overview.obeysNativeStor()) {
            entries.addAll(nativeStor(overview.namespace()));
            entries.addAll(Manifests.nativeStorGuard());
        }
        entries.add(
                new Manifests.Entry(
                        Types.DAEMON_SET, ObjectKey.of(overview.namespace(), Names.VG_MANAGER)));
        for (var entry : entries) {
            try {
                kube.find(entry.type(), entry.key()).ifPresent(found::add);
            } catch (ApiException.Forbidden | ApiException.Misdirected e) {
                gaps.add(e.getMessage());
            }
        }
        write("objects/installed.json", found);
    }

    /** Of all ConfigMaps, those that say how the operator is to work. */
    private static List<Manifests.Entry> nativeStor(String namespace) {
        var entries = new ArrayList<>(Manifests.nativeStor(namespace));
        SettingWatch.NAMES.forEach(
                name ->
                        entries.add(
                                new Manifests.Entry(
                                        Types.CONFIG_MAP, ObjectKey.of(namespace, name))));
        return entries;
    }

    /** Whoever may not read one log may read none. */
    private void logs(Overview overview, Optional<Instant> since)
            throws ApiException, IOException, InterruptedException {
        try {
            for (var pod : overview.pods()) {
                logs(pod.object(), since);
            }
        } catch (ApiException.Forbidden e) {
            gaps.add(e.getMessage());
        }
    }

    private void logs(KubeObject pod, Optional<Instant> since)
            throws ApiException, IOException, InterruptedException {
        for (var container : pod.objects("spec", "containers")) {
            var name = container.text("name").orElse("");
            var file = "logs/" + pod.name() + "/" + name;
            log(pod, name, false, since, file + ".log");
            if (restarted(pod, name)) {
                log(pod, name, true, since, file + ".previous.log");
            }
        }
    }

    private static boolean restarted(KubeObject pod, String container) {
        return pod.objects("status", "containerStatuses").stream()
                .filter(status -> status.text("name").orElse("").equals(container))
                .anyMatch(status -> status.number("restartCount").orElse(0) > 0);
    }

    /** The log of a node that is away cannot be read; the others can. */
    private void log(
            KubeObject pod, String container, boolean previous, Optional<Instant> since, String to)
            throws ApiException, IOException, InterruptedException {
        try {
            sink.add(to, kube.log(pod.key(), container, previous, since));
        } catch (ApiException.Forbidden | ApiException.Unauthorized | ApiException.Unreachable e) {
            throw e;
        } catch (ApiException e) {
            gaps.add(e.getMessage());
        }
    }
}
