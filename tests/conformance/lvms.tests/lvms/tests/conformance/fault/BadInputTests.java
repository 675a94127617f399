package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.deploy.Bindings;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * A cluster in which everything is wrong: another driver of our name, an image without a tool,
 * kubelet's folder elsewhere, a kernel without thin pools, and then rights and certificates that
 * are lost. Each is named where docs/install.md says, and the work goes on by itself when its cause
 * is gone.
 */
@FullOnly("a cluster of its own takes minutes")
class BadInputTests {
    private static final String NODE = "node1";
    private static final String ELSEWHERE = "/var/lib/elsewhere";
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final int MIB = 4;

    private Product product;
    private ClusterNode node;

    @Test
    void eachObstacleIsNamedAndTheWorkGoesOnWithoutIt() throws Exception {
        var options =
                ClusterOptions.of(
                        Path.of("out/conformance/bad-input"),
                        NodeSpec.plain(NODE).kubeletRoot(ELSEWHERE).withoutThinPoolModule());
        try (var cluster = Cluster.start(options)) {
            product = Product.on(cluster);
            node = cluster.node(NODE);
            product.installManifests();
            anotherDriverHasOurName();
            theImageLacksATool();
            kubeletLivesElsewhere();
            theKernelHasNoThinPools();
            var box = Sandbox.open(product, "bad-input");
            rightsAreTakenAway(box);
            theServersCertificateExpires(box);
            box.clear();
            product.uninstall();
        }
    }

    private void anotherDriverHasOurName() throws Exception {
        var driver =
                KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster(Driver.TOPOLVM.name()))
                        .with("Helm", "metadata", "labels", "app.kubernetes.io/managed-by");
        product.kube().create(Types.CSI_DRIVER, driver);
        hide("wipefs"); // before an agent starts
        product.applyCluster();
        awaitCondition(
                Names.CONDITION_RESOURCES,
                "CSIDriver topolvm.io belongs to another installation",
                "managed-by=Helm");
        assertEquals(List.of(), product.all(Types.DAEMON_SET));
        product.kube().delete(Types.CSI_DRIVER, driver.key(), DeleteOptions.any());
        patiently("the agents start", () -> product.agent(NODE).isPresent());
    }

    private void theImageLacksATool() throws Exception {
        awaitLog(Names.VG_MANAGER, "this image lacks the device tools wipefs");
        awaitEvent("lacks the device tools wipefs");
        show("wipefs");
        awaitLog(Names.VG_MANAGER, "LVM chosen reason=");
    }

    /** The one obstacle whose cure is another setting, and so other pods. */
    private void kubeletLivesElsewhere() throws Exception {
        awaitCondition(
                Names.CONDITION_RESOURCES,
                "the CSI driver is not registered on nodes: " + NODE,
                "give it to the operator as --kubelet-root");
        awaitLog(Names.VG_MANAGER, "kubelet has not registered the driver");
        product.kubectl(
                "patch",
                "deployment/" + Names.OPERATOR,
                "--namespace=" + Product.SYSTEM,
                "--type=json",
                "--patch=[{\"op\": \"replace\", \"path\":"
                        + " \"/spec/template/spec/containers/0/args\", \"value\":"
                        + " [\"--leader-elect\", \"--kubelet-root="
                        + ELSEWHERE
                        + "\"]}]");
        awaitCondition(Names.CONDITION_RESOURCES, "all resources are in place");
    }

    private void theKernelHasNoThinPools() throws Exception {
        awaitCondition(
                Names.CONDITION_VOLUME_GROUPS,
                "Required device-mapper target(s) not detected in your kernel");
        node.shell(
                """
                set -e
                . /run/lab/share/settings
                module=kernel/drivers/md/dm-thin-pool.ko
                cp $modules/$module /lib/modules/$(uname -r)/$module
                depmod
                """);
        product.awaitReady();
    }

    private void rightsAreTakenAway(Sandbox box) throws Exception {
        for (var who : List.of(Names.OPERATOR, Names.VG_MANAGER)) {
            Bindings.empty(product::kubectl, who);
            box.create(Claim.of(who, Product.THICK_CLASS, "32Mi"));
            box.create(Pod.with(who, who));
            awaitLog(who, "system:serviceaccount:lvms-system:" + who + "\" cannot");
            applyRoles();
            box.awaitReady(who);
        }
    }

    /** Not all manifests, which would bring the usual kubelet folder back. */
    private void applyRoles() throws Exception {
        for (var file : List.of("operator-rbac", "vg-manager-rbac")) {
            product.kubectl("apply", "--filename=deploy/base/" + file + ".yaml");
        }
    }

    private void theServersCertificateExpires(Sandbox box) throws Exception {
        var pod = Names.VG_MANAGER;
        var written = box.write(pod, "/data/file", MIB);
        var control = product.cluster().controlPlane();
        control.restartWithCertificate(true);
        try {
            patiently("agent and operator say so", () -> linesOnTheNode("expired at") >= 2);
        } finally {
            control.restartWithCertificate(false);
        }
        box.start(Claim.of("later", Product.THIN_CLASS, "320Mi"));
        assertEquals(written, box.checksum(pod, "/data/file", MIB));
        assertEquals(0, box.restarts(pod));
    }

    private long linesOnTheNode(String text) throws Exception {
        return node.shell("grep -h '" + text + "' /var/log/pods/lvms-system_*/*/*.log || true")
                .lines()
                .count();
    }

    /** Takes a program out of the layers of the image. */
    private void hide(String program) throws Exception {
        node.shell(
                """
                file=$(find /var/lib/containerd/*overlayfs/snapshots -path '*bin/%s')
                test -n "$file"
                mv $file /var/lib/hidden-%s
                echo $file >/var/lib/hidden-place
                """
                        .formatted(program, program));
    }

    /** Puts it back; the kernel remembers that it was not there until it is told to forget. */
    private void show(String program) throws Exception {
        node.shell(
                """
                mv /var/lib/hidden-%s $(cat /var/lib/hidden-place)
                echo 2 >/proc/sys/vm/drop_caches
                """
                        .formatted(program));
    }

    private void awaitCondition(String type, String... words) throws Exception {
        product.patience(DEADLINE, Product.SYSTEM)
                .untilNothingMissing(
                        type + " says " + List.of(words),
                        () -> {
                            var message =
                                    product.kube()
                                            .get(LvmCluster.TYPE, Product.LVM_CLUSTER)
                                            .condition(type)
                                            .map(condition -> condition.message())
                                            .orElse("no condition");
                            return List.of(words).stream().allMatch(message::contains)
                                    ? ""
                                    : message;
                        });
    }

    private void awaitLog(String who, String words) throws Exception {
        patiently(
                who + " logs " + words,
                () ->
                        product.kubectl(
                                        "logs",
                                        "--namespace=" + Product.SYSTEM,
                                        "--selector=app.kubernetes.io/name=" + who,
                                        "--tail=-1")
                                .contains(words));
    }

    private void awaitEvent(String words) throws Exception {
        patiently(
                "an event says " + words,
                () ->
                        product.kubectl("get", "events", "--namespace=" + Product.SYSTEM)
                                .contains(words));
    }

    private void patiently(String what, Callable<Boolean> condition) throws Exception {
        product.patience(DEADLINE, Product.SYSTEM).until(what, condition);
    }
}
