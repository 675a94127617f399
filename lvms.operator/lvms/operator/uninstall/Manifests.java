package lvms.operator.uninstall;

import static lvms.api.Names.DEFAULT_NAMESPACE;
import static lvms.api.Names.OPERATOR;
import static lvms.api.Names.VG_MANAGER;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.admission.WebhookConfiguration;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The objects that {@code deploy} and the folders in it name, in the order in which they go. */
public final class Manifests {

    /** What an uninstallation ends with: while one has objects, there is something to finish. */
    static final List<ResourceType> KINDS =
            List.of(
                    LvmCluster.TYPE,
                    LvmVolumeGroup.TYPE,
                    LvmVolumeGroupNodeStatus.TYPE,
                    Driver.TOPOLVM.logicalVolumes());

    /** Name of the roles by which an operator carries TopolvmClusters out. */
    static final String NATIVE_STOR = "lvms-operator-nativestor";

    private static final String NATIVE_STOR_NAMESPACE = "nativestor-system";

    private static final List<String> FOR_PEOPLE = List.of("lvms-viewer", "lvms-editor");
    private static final List<String> POLICIES =
            List.of(
                    "lvms-in-use",
                    "lvms-volumes-in-use",
                    "lvms-groups-in-use",
                    "lvms-nodes-in-use",
                    "lvms-operator-own-objects",
                    "lvms-operator-own-agents",
                    "vg-manager-own-node");
    private static final List<String> NATIVE_STOR_POLICIES =
            List.of(
                    "lvms-topolvmclusters-in-use",
                    "lvms-old-volumes-in-use",
                    "lvms-raw-devices-in-use",
                    "lvms-raw-devices-of-volumes",
                    "vg-manager-own-raw-devices");

    /**
     * One of them.
     *
     * @param type its kind
     * @param key its name
     */
    public record Entry(ResourceType type, ObjectKey key) {
        /** Returns whether the operator cannot work without it. */
        boolean needed() {
            return type != Types.POD_DISRUPTION_BUDGET && !FOR_PEOPLE.contains(key.name());
        }
    }

    private Manifests() {}

    /**
     * What {@code deploy} names, or a folder that installs it in another namespace; the namespace
     * is the last.
     */
    public static List<Entry> installed(String namespace) {
        var entries = new ArrayList<Entry>();
        entries.add(new Entry(Types.DEPLOYMENT, ObjectKey.of(namespace, OPERATOR)));
        entries.add(new Entry(Types.POD_DISRUPTION_BUDGET, ObjectKey.of(namespace, OPERATOR)));
        entries.add(new Entry(Types.NETWORK_POLICY, ObjectKey.of(namespace, "lvms-no-ingress")));
        for (var account : List.of(OPERATOR, VG_MANAGER)) {
            var inNamespace = ObjectKey.of(namespace, account);
            entries.add(new Entry(Types.ROLE_BINDING, inNamespace));
            entries.add(new Entry(Types.ROLE, inNamespace));
            entries.add(new Entry(Types.CLUSTER_ROLE_BINDING, ObjectKey.cluster(account)));
            entries.add(new Entry(Types.CLUSTER_ROLE, ObjectKey.cluster(account)));
            entries.add(new Entry(Types.SERVICE_ACCOUNT, inNamespace));
        }
        for (var role : FOR_PEOPLE) {
            entries.add(new Entry(Types.CLUSTER_ROLE, ObjectKey.cluster(role)));
        }
        for (var kind : KINDS) {
            entries.add(new Entry(Types.CRD, ObjectKey.cluster(kind.qualifiedPlural())));
        }
        entries.add(new Entry(Types.NAMESPACE, ObjectKey.cluster(namespace)));
        return entries;
    }

    /** What {@code deploy/nativestor} names besides; what proves that it was here goes last. */
    public static List<Entry> nativeStor(String namespace) {
        var entries = new ArrayList<Entry>();
        for (var role : List.of("lvms-topolvmcluster-viewer", "lvms-topolvmcluster-editor")) {
            entries.add(new Entry(Types.CLUSTER_ROLE, ObjectKey.cluster(role)));
        }
        for (var role : List.of("lvms-raw-device-viewer", "lvms-old-volume-viewer")) {
            entries.add(new Entry(Types.CLUSTER_ROLE, ObjectKey.cluster(role)));
        }
        for (var rights : List.of("vg-manager-old-volumes", "lvms-operator-raw-devices")) {
            entries.add(new Entry(Types.CLUSTER_ROLE_BINDING, ObjectKey.cluster(rights)));
            entries.add(new Entry(Types.CLUSTER_ROLE, ObjectKey.cluster(rights)));
        }
        for (var rights : List.of("vg-manager-raw-devices", NATIVE_STOR)) {
            var inNamespace = ObjectKey.of(namespace, rights);
            entries.add(new Entry(Types.ROLE_BINDING, inNamespace));
            entries.add(new Entry(Types.ROLE, inNamespace));
            entries.add(new Entry(Types.CLUSTER_ROLE_BINDING, ObjectKey.cluster(rights)));
            entries.add(new Entry(Types.CLUSTER_ROLE, ObjectKey.cluster(rights)));
        }
        var oldVolumes = Driver.LEGACY.logicalVolumes();
        for (var kind : List.of(oldVolumes, RawDevice.TYPE, TopolvmCluster.TYPE)) {
            entries.add(new Entry(Types.CRD, ObjectKey.cluster(kind.qualifiedPlural())));
        }
        return entries;
    }

    /** The folder whose manifests install into a namespace; its guard is in a folder in it. */
    public static String folder(String namespace) {
        return namespace.equals(DEFAULT_NAMESPACE) ? "deploy" : "deploy/" + namespace;
    }

    /** The folder that installs what NativeStor's users have into a namespace. */
    public static String nativeStorFolder(String namespace) {
        return namespace.equals(NATIVE_STOR_NAMESPACE) ? folder(namespace) : "deploy/nativestor";
    }

    /** What {@code deploy/guard} names. */
    public static List<Entry> guard() {
        return policies(POLICIES);
    }

    /** What {@code deploy/nativestor/guard} names besides. */
    public static List<Entry> nativeStorGuard() {
        return policies(NATIVE_STOR_POLICIES);
    }

    /** Every policy that guards something, wherever NativeStor's users or others applied it. */
    public static List<Entry> everyGuard() {
        return Stream.of(nativeStorGuard(), guard()).flatMap(List::stream).toList();
    }

    private static List<Entry> policies(List<String> names) {
        return names.stream()
                .map(ObjectKey::cluster)
                .flatMap(
                        key ->
                                Stream.of(
                                        new Entry(Types.VALIDATING_ADMISSION_POLICY_BINDING, key),
                                        new Entry(Types.VALIDATING_ADMISSION_POLICY, key)))
                .toList();
    }

    /** What {@code deploy/admission} names, but for what goes with the namespace. */
    public static List<Entry> webhooks() {
        var mutating = WebhookConfiguration.mutating("lvms-mutating-webhook-configuration");
        var validating = WebhookConfiguration.validating("lvms-validating-webhook-configuration");
        var right = ObjectKey.cluster("lvms-webhook-certificate");
        return List.of(
                new Entry(mutating.type(), mutating.key()),
                new Entry(validating.type(), validating.key()),
                new Entry(Types.CLUSTER_ROLE_BINDING, right),
                new Entry(Types.CLUSTER_ROLE, right));
    }
}
