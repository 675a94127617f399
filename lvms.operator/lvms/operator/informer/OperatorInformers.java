package lvms.operator.informer;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.agent.AgentConstraints;
import lvms.operator.claim.Claim;
import lvms.operator.claim.ClaimMark;
import lvms.operator.openshift.ClusterTls;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What the operator follows: one cache for each type, since a second one would cost the same memory
 * and another watch. Both halves of the operator, and each driver, read from here.
 *
 * <p>An informer sends nothing before it is started, and starting it again does nothing. So a
 * process that only serves volumes makes the whole set and starts a part of it. {@link Trim} says
 * what a cache keeps of an object.
 *
 * @param drivers the drivers that are served by whoever has this record
 * @param logicalVolumes all LogicalVolumes, by driver
 * @param nodes all Nodes
 * @param csiNodes all CSINodes, with the entries of our drivers only
 * @param storageClasses all StorageClasses
 * @param claims all PersistentVolumeClaims; little more than the names of those of other drivers
 * @param persistentVolumes all PersistentVolumes; only the names of those of other drivers
 * @param clusters LVMClusters of all namespaces, to tell people when one is in the wrong namespace
 * @param volumeGroups LVMVolumeGroups of the operator's namespace
 * @param nodeStatuses LVMVolumeGroupNodeStatuses of the operator's namespace
 * @param daemonSets DaemonSets of the operator's namespace
 * @param csiDrivers all CSIDrivers
 * @param networkPolicies NetworkPolicies of the operator's namespace
 * @param snapshotClasses all VolumeSnapshotClasses; not among {@link #all()}, since they come with
 *     another product
 * @param constraints the SecurityContextConstraints of the node agents; not among {@link #all()},
 *     since only OpenShift has them
 * @param tls follows the cluster's TLS profile, which only OpenShift has
 */
public record OperatorInformers(
        Drivers drivers,
        Map<Driver, Informer> logicalVolumes,
        Informer nodes,
        Informer csiNodes,
        Informer storageClasses,
        Informer claims,
        Informer persistentVolumes,
        Informer clusters,
        Informer volumeGroups,
        Informer nodeStatuses,
        Informer daemonSets,
        Informer csiDrivers,
        Informer networkPolicies,
        Informer snapshotClasses,
        Informer constraints,
        ClusterTls tls) {
    /** Index of LogicalVolumes: their CSI volume id. */
    private static final String BY_ID = "volumeID";

    /** Index of LogicalVolumes: the claim they are being made for. */
    public static final String BY_CLAIM = "claim";

    /** Index of LogicalVolumes: the name of their source. */
    public static final String BY_SOURCE = "source";

    private static final String BY_HANDLE = "handle";
    private static final String BY_CLAIM_UID = "claim-uid";
    private static final String BY_NODE = "selected-node";
    private static final String BY_CLASS = "class";

    /**
     * Returns informers that are not started yet.
     *
     * @param namespace namespace of the operator
     */
    public static OperatorInformers of(KubeClient kube, Drivers drivers, String namespace) {
        return of(kube, drivers, drivers, namespace);
    }

    /**
     * The same for a process in which others serve further drivers, by {@link #serving}.
     *
     * @param followed the drivers whose claims and volumes the caches keep
     */
    public static OperatorInformers of(
            KubeClient kube, Drivers drivers, Drivers followed, String namespace) {
        var groups = new HashMap<String, Informer>();
        var logicalVolumes = new LinkedHashMap<Driver, Informer>();
        for (var driver : drivers.all()) {
            var shared = groups.computeIfAbsent(driver.group(), _ -> logicalVolumes(kube, driver));
            logicalVolumes.put(driver, shared);
        }
        return new OperatorInformers(
                drivers,
                logicalVolumes,
                many(kube, Types.NODE).transform(node -> Trim.node(followed, node)).build(),
                many(kube, Types.CSI_NODE).transform(node -> Trim.csiNode(followed, node)).build(),
                everywhere(kube, Types.STORAGE_CLASS),
                many(kube, Types.PVC)
                        .transform(claim -> ClaimTrim.of(followed, claim))
                        .index(BY_NODE, OperatorInformers::waitingOnNode)
                        .index(BY_CLASS, OperatorInformers::waitingForClass)
                        .build(),
                many(kube, Types.PV)
                        .transform(volume -> Trim.persistentVolume(followed, volume))
                        .index(BY_HANDLE, text("spec", "csi", "volumeHandle"))
                        .index(BY_CLAIM_UID, OperatorInformers::provisionedFor)
                        .build(),
                everywhere(kube, LvmCluster.TYPE),
                within(kube, LvmVolumeGroup.TYPE, namespace),
                Informer.of(kube, LvmVolumeGroupNodeStatus.TYPE)
                        .namespace(namespace)
                        .transform(Trim::nodeStatus)
                        .build(),
                within(kube, Types.DAEMON_SET, namespace),
                everywhere(kube, Types.CSI_DRIVER),
                within(kube, Types.NETWORK_POLICY, namespace),
                everywhere(kube, Types.VOLUME_SNAPSHOT_CLASS),
                Informer.of(kube, AgentConstraints.TYPE)
                        .fieldSelector("metadata.name=" + AgentConstraints.KEY.name())
                        .build(),
                new ClusterTls(kube));
    }

    /**
     * Returns the same caches for whoever serves other drivers, whose volumes are no
     * LogicalVolumes.
     */
    public OperatorInformers serving(Drivers others) {
        return new OperatorInformers(
                others,
                Map.of(),
                nodes,
                csiNodes,
                storageClasses,
                claims,
                persistentVolumes,
                clusters,
                volumeGroups,
                nodeStatuses,
                daemonSets,
                csiDrivers,
                networkPolicies,
                snapshotClasses,
                constraints,
                tls);
    }

    private static Informer logicalVolumes(KubeClient kube, Driver driver) {
        return many(kube, driver.logicalVolumes())
                .index(BY_ID, text("status", "volumeID"))
                .index(BY_SOURCE, text("spec", "source"))
                .index(BY_CLAIM, object -> claimOf(object, driver))
                .build();
    }

    /**
     * Returns the LogicalVolume with this CSI volume id; several only if it cannot be told which.
     * An agent writes the id into the status of its own objects, so one that was taken over may
     * claim another node's volume: the object whose UID is the id is then the right one, since
     * nobody chooses a UID.
     */
    public static List<KubeObject> withId(Informer logicalVolumes, String id) {
        var found = id.isEmpty() ? List.<KubeObject>of() : logicalVolumes.byIndex(BY_ID, id);
        var owner = found.stream().filter(object -> object.uid().equals(id)).toList();
        return owner.isEmpty() ? List.copyOf(found) : owner;
    }

    /** Of what there may be thousands. */
    private static Informer.Builder many(KubeClient kube, ResourceType type) {
        return Informer.of(kube, type).plainLists();
    }

    private static Informer everywhere(KubeClient kube, ResourceType type) {
        return Informer.of(kube, type).build();
    }

    private static Informer within(KubeClient kube, ResourceType type, String namespace) {
        return Informer.of(kube, type).namespace(namespace).build();
    }

    private static Function<KubeObject, List<String>> text(String... path) {
        return object -> object.text(path).stream().toList();
    }

    private static List<String> claimOf(KubeObject logicalVolume, Driver driver) {
        return ClaimMark.of(logicalVolume, driver).map(mark -> mark.claim().toString()).stream()
                .toList();
    }

    /** One that a person made for a claim is not among them: nobody knows whether it will fit. */
    private static List<String> provisionedFor(KubeObject volume) {
        return volume.annotation(Names.PROVISIONED_BY_ANNOTATION).isPresent()
                ? volume.text("spec", "claimRef", "uid").stream().toList()
                : List.of();
    }

    private static List<String> waitingOnNode(KubeObject object) {
        var claim = new Claim(object);
        return claim.bound() ? List.of() : claim.selectedNode().stream().toList();
    }

    private static List<String> waitingForClass(KubeObject object) {
        var claim = new Claim(object);
        return claim.bound() ? List.of() : List.of(claim.className());
    }

    /** Returns the informers that CSI calls are answered from. */
    public List<Informer> ofCalls() {
        return Stream.concat(ofGroups(), Stream.of(nodes)).toList();
    }

    /** Returns what the controllers of claims and volumes share, except for LogicalVolumes. */
    public List<Informer> ofClaims() {
        return List.of(claims, persistentVolumes, storageClasses, csiNodes, nodes);
    }

    /** Returns those of types that are there in some clusters only; whoever needs one starts it. */
    public List<Informer> ofSomeClusters() {
        return List.of(snapshotClasses, constraints, tls.apiServers());
    }

    /** Returns all whose types are there in every cluster. */
    public List<Informer> all() {
        var ofClusters =
                Stream.of(
                        clusters,
                        volumeGroups,
                        nodeStatuses,
                        daemonSets,
                        csiDrivers,
                        networkPolicies);
        return Stream.of(ofGroups(), ofClaims().stream(), ofClusters)
                .flatMap(informers -> informers)
                .toList();
    }

    /**
     * Makes a controller begin only when the caches around claims are filled: a pass that took an
     * empty cache for an empty cluster would give claims back to the scheduler.
     */
    public Controller.Builder<ObjectKey> awaited(Controller.Builder<ObjectKey> builder) {
        return builder.after(ofClaims());
    }

    public Informer logicalVolumes(Driver driver) {
        return Optional.ofNullable(logicalVolumes.get(driver)).orElseThrow();
    }

    /** Returns one informer for each group of LogicalVolumes; drivers may share one. */
    public Stream<Informer> ofGroups() {
        return logicalVolumes.values().stream().distinct();
    }

    /** Returns the LogicalVolumes of all drivers. */
    public Stream<LogicalVolume> everyLogicalVolume() {
        return ofGroups()
                .map(Informer::list)
                .flatMap(Collection::stream)
                .map(LogicalVolume::tolerant);
    }

    /** Returns the LogicalVolumes of this name, at most one of each group. */
    public List<LogicalVolume> logicalVolumesNamed(ObjectKey key) {
        return ofGroups()
                .flatMap(informer -> informer.get(key).stream())
                .map(LogicalVolume::tolerant)
                .toList();
    }

    /** Returns the PersistentVolumes of our drivers with this handle. */
    public List<KubeObject> persistentVolumesOf(String handle) {
        return handle.isEmpty() ? List.of() : persistentVolumes.byIndex(BY_HANDLE, handle);
    }

    /** Returns the PersistentVolumes that were provisioned for the claim with this UID. */
    public List<KubeObject> persistentVolumesFor(String claimUid) {
        return List.copyOf(persistentVolumes.byIndex(BY_CLAIM_UID, claimUid));
    }

    /** Returns the unbound claims for which this node was chosen. */
    public List<ObjectKey> claimsOnNode(String node) {
        return claims.byIndex(BY_NODE, node).stream().map(KubeObject::key).toList();
    }

    /** Returns the unbound claims of this class. */
    public List<ObjectKey> claimsOfClass(String name) {
        return claims.byIndex(BY_CLASS, name).stream().map(KubeObject::key).toList();
    }

    public boolean registered(Driver driver, String node) {
        return csiNodes.get(ObjectKey.cluster(node)).stream()
                .flatMap(object -> object.objects("spec", "drivers").stream())
                .anyMatch(entry -> entry.text("name").equals(Optional.of(driver.name())));
    }
}
