package lvms.tests.conformance.nativestor;

import lvms.api.Names;
import lvms.api.nativestor.Phase;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Product;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The product with what {@code deploy/nativestor} adds to it, and a user's TopolvmCluster. */
final class NativeStorSite {
    /** The TopolvmCluster. */
    static final ObjectKey CLUSTER = ObjectKey.of(Product.SYSTEM, "topolvmcluster-sample");

    /** StorageClass of device class {@code hdd}, as NativeStor's manual has it. */
    static final String HDD_CLASS = "topolvm-provisioner1";

    /** StorageClass of raw devices. */
    static final String RAW_CLASS = "rawdevice-provisioner";

    private static final String OVERLAY = "deploy/nativestor/";

    /** What the overlay has beyond {@code deploy}. */
    private static final List<String> MORE =
            List.of(
                    "rbac.yaml",
                    "user-roles.yaml",
                    "old-volumes-rbac.yaml",
                    "raw-device-rbac.yaml",
                    "raw-device-operator-rbac.yaml",
                    "crds",
                    "../legacy/topolvm.cybozu.com_logicalvolumes.yaml",
                    "guard/in-use-policy.yaml",
                    "guard/raw-device-policy.yaml");

    private static final String CLASSES =
            """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: %s}
            provisioner: topolvm.cybozu.com
            volumeBindingMode: WaitForFirstConsumer
            allowVolumeExpansion: true
            parameters:
              csi.storage.k8s.io/fstype: ext4
              topolvm.cybozu.com/device-class: hdd
            ---
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: %s}
            provisioner: nativestor.alauda.io
            volumeBindingMode: WaitForFirstConsumer
            """
                    .formatted(HDD_CLASS, RAW_CLASS);

    private static final String SETTINGS =
            """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: nativestor-setting, namespace: %s}
            data:
              KUBELET_ROOT_DIR: "/var/lib/kubelet"
              OPERATOR_LOG_LEVEL: "INFO"
              RAW_DEVICE_ENABLE: "true"
              TOPOLVM_ENABLE: "true"
              CSI_REGISTRAR_IMAGE: "k8s.gcr.io/sig-storage/csi-node-driver-registrar:v2.3.0"
            """
                    .formatted(Product.SYSTEM);

    private final Product product;
    private final Path folder;

    NativeStorSite(Product product, Path folder) {
        this.product = product;
        this.folder = folder;
    }

    /** Installs it over what is there, and waits until operator and agents have it. */
    void install() throws Exception {
        product.kubectl("apply", "-k", OVERLAY + "guard");
        product.kubectl("apply", "-k", OVERLAY);
        apply(SETTINGS);
        apply(CLASSES);
        awaitRollout("deployment/" + Names.OPERATOR);
        product.patience()
                .until(
                        "the agents are told of raw devices",
                        () -> agents().contains("raw-devices"));
        awaitRollout("daemonset/" + Names.VG_MANAGER);
    }

    private String agents() throws Exception {
        var key = ObjectKey.of(Product.SYSTEM, Names.VG_MANAGER);
        return product.kube().get(Types.DAEMON_SET, key).toJson();
    }

    private void awaitRollout(String name) throws Exception {
        product.kubectl("rollout", "status", "--namespace=" + Product.SYSTEM, name, "--timeout=4m");
    }

    /** Takes it away again, so that only the LVMCluster is left. */
    void remove() throws Exception {
        product.kube().delete(TopolvmCluster.TYPE, CLUSTER, DeleteOptions.any());
        awaitGone();
        delete(CLASSES);
        delete(SETTINGS);
        product.patience()
                .until("the old driver is gone", () -> !drivers().contains("topolvm.cybozu.com"));
        product.patience().until("raw devices are off", () -> !agents().contains("raw-devices"));
        awaitRollout("daemonset/" + Names.VG_MANAGER);
        product.kubectl("apply", "-k", "deploy");
        awaitRollout("deployment/" + Names.OPERATOR);
        for (var more : MORE) {
            product.kubectl("delete", "--filename=" + OVERLAY + more);
        }
        for (var node : product.cluster().nodes()) {
            product.kubectl(
                    "delete",
                    "configmap",
                    "--namespace=" + Product.SYSTEM,
                    "--ignore-not-found",
                    "lvmdconfig-" + node.name());
        }
    }

    private List<String> drivers() throws Exception {
        return product.all(Types.CSI_DRIVER).stream().map(KubeObject::name).toList();
    }

    /** Applies the TopolvmCluster as a person writes it. */
    void apply(boolean cleanup, String storage) throws Exception {
        apply(
                """
                apiVersion: topolvm.cybozu.com/v2
                kind: TopolvmCluster
                metadata: {name: %s, namespace: %s}
                spec:
                  topolvmVersion: quay.io/topolvm/topolvm-with-sidecar:0.10
                  cleanup: %s
                  storage: %s
                """
                        .formatted(CLUSTER.name(), Product.SYSTEM, cleanup, storage));
    }

    private void apply(String yaml) throws Exception {
        product.kubectl("apply", "--filename=" + file(yaml));
    }

    private void delete(String yaml) throws Exception {
        product.kubectl("delete", "--ignore-not-found", "--filename=" + file(yaml));
    }

    private Path file(String yaml) throws Exception {
        return Files.writeString(folder.resolve("manifest.yaml"), yaml);
    }

    TopolvmCluster cluster() throws Exception {
        return TopolvmCluster.of(product.kube().get(TopolvmCluster.TYPE, CLUSTER));
    }

    /** Waits until all that the spec asks for now is there. */
    void awaitServed() throws Exception {
        product.patience()
                .untilNothingMissing(
                        "the TopolvmCluster is as its spec says",
                        () -> {
                            var cluster = cluster();
                            return served(cluster.object(), cluster.status().phase())
                                    ? ""
                                    : cluster.object().object("status").toString();
                        });
    }

    private static boolean served(KubeObject object, Optional<Phase> phase) {
        return phase.filter(Phase.READY::equals).isPresent()
                && object.condition("VolumeGroupsReady")
                        .filter(Condition::holds)
                        .filter(c -> c.observedGeneration() == object.generation())
                        .isPresent();
    }

    void deleteCluster() throws Exception {
        product.kube().delete(TopolvmCluster.TYPE, CLUSTER, DeleteOptions.any());
    }

    void awaitGone() throws Exception {
        product.patience()
                .until(
                        "the TopolvmCluster is gone",
                        () -> product.kube().find(TopolvmCluster.TYPE, CLUSTER).isEmpty());
    }

    List<RawDevice> rawDevices() throws Exception {
        return product.kube().list(RawDevice.TYPE, ListOptions.all()).items().stream()
                .map(RawDevice::of)
                .toList();
    }
}
