package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Options;
import lvms.k8s.tree.Json;
import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** A node of the lab that has an API server, and a node agent once it is started. */
final class AgentNode implements AutoCloseable {
    static final String NAMESPACE = "lvms-system";
    static final String NAME = "node1";
    private static final String LOG = "agent.log";

    /** What a machine that is busy may need for anything. */
    private static final Duration DEADLINE = Duration.ofSeconds(90);

    private final Lab lab;
    private Node node;
    private ApiServer server;
    private KubeClient kube;

    private AgentNode(Lab lab) {
        this.lab = lab;
    }

    /** Boots the node; no agent runs yet. */
    static AgentNode boot(Path folder, NodeOptions options) throws Exception {
        var agentNode = new AgentNode(Lab.inFolder(folder));
        try {
            agentNode.prepare(folder, options);
        } catch (Exception | AssertionError e) {
            agentNode.close();
            throw e;
        }
        return agentNode;
    }

    private void prepare(Path folder, NodeOptions options) throws Exception {
        node = lab.add(options);
        node.boot();
        server = ApiServer.start(Options.defaults().address(lab.hostAddress()));
        kube =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig(folder))), "test")
                        .withFieldManager("test");
        NodeFixture.create(kube, NAMESPACE, NAME);
        Files.writeString(node.share().resolve("kubeconfig"), server.kubeconfigText());
    }

    /** Starts the agent and returns its process id on the node. */
    int startAgent(String... flags) throws Exception {
        var words = new String[flags.length + 1];
        words[0] = "vgmanager";
        System.arraycopy(flags, 0, words, 1, flags.length);
        var jvm =
                LabJvm.heap(256)
                        .by("env", "NODE_NAME=" + NAME, "NAMESPACE=" + NAMESPACE)
                        .by("KUBECONFIG=" + Node.SHARE + "/kubeconfig");
        AgentLog.is(node.share().resolve(LOG));
        return node.start(LOG, jvm.command("lvms.launcher.Main", words));
    }

    Node node() {
        return node;
    }

    KubeClient kube() {
        return kube;
    }

    String shell(String script) throws Exception {
        return node.shell(script);
    }

    static void until(Callable<Boolean> state) throws Exception {
        NodeFixture.until(DEADLINE, state);
    }

    void create(String group, String spec) throws Exception {
        kube.create(
                LvmVolumeGroup.TYPE,
                KubeObject.create(LvmVolumeGroup.TYPE, key(group)).with(Json.parse(spec), "spec"));
    }

    void change(String group, String spec) throws Exception {
        var patch = Json.parse("{\"spec\": " + spec + "}").asObject();
        kube.mergePatch(LvmVolumeGroup.TYPE, key(group), patch);
    }

    /** Deletes a group and waits until nothing of it is left. */
    void remove(String group) throws Exception {
        kube.delete(LvmVolumeGroup.TYPE, key(group), DeleteOptions.any());
        until(() -> kube.find(LvmVolumeGroup.TYPE, key(group)).isEmpty());
    }

    LvmVolumeGroup group(String group) throws Exception {
        return LvmVolumeGroup.of(kube.get(LvmVolumeGroup.TYPE, key(group)));
    }

    private static ObjectKey key(String group) {
        return ObjectKey.of(NAMESPACE, group);
    }

    Optional<VolumeGroupStatus> entry(String group) throws Exception {
        return LvmVolumeGroupNodeStatus.of(kube.get(LvmVolumeGroupNodeStatus.TYPE, key(NAME)))
                .volumeGroup(group);
    }

    boolean is(String group, VolumeGroupState state) throws Exception {
        return entry(group).filter(e -> e.is(state)).isPresent();
    }

    VolumeGroupStatus await(String group, VolumeGroupState state) throws Exception {
        until(() -> is(group, state));
        return entry(group).orElseThrow();
    }

    /** Returns what the node says it has free for a class, in bytes; -1 if it says nothing. */
    long capacity(String group) throws Exception {
        return kube.get(Types.NODE, ObjectKey.cluster(NAME))
                .annotation("capacity.topolvm.io/" + group)
                .map(Long::parseLong)
                .orElse(-1L);
    }

    boolean event(String reason) throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .anyMatch(event -> event.text("reason").filter(reason::equals).isPresent());
    }

    @Override
    public void close() throws IOException {
        try (var _ = lab;
                var _ = server) {
            if (kube != null) {
                kube.close();
            }
        }
    }

    /** Returns the only number that a report of LVM has. */
    double lvs(String column, String volume) throws Exception {
        var report = "lvs --noheadings --units b --nosuffix -o %s %s".formatted(column, volume);
        return Double.parseDouble(shell(report).strip());
    }

    /** A spec whose only content is a selector of these paths. */
    static String selecting(boolean wipe, String... paths) {
        return "{\"deviceSelector\": {\"paths\": [\"%s\"]%s}}"
                .formatted(
                        String.join("\", \"", List.of(paths)),
                        wipe ? ", \"forceWipeDevicesAndDestroyAllData\": true" : "");
    }
}
