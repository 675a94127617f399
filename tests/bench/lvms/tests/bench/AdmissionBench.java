package lvms.tests.bench;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.k8s.admission.AdmissionPages;
import lvms.k8s.admission.WebhookConfiguration;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.serving.ServerTls;
import lvms.k8s.serving.TlsBounds;
import lvms.k8s.tls.Authority;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.operator.admission.ClusterChecks;
import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.Programs;
import lvms.tests.server.Definitions;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the webhook of LVMClusters adds to a write, as a client of a real kube-apiserver sees it.
 * Two objects are changed in turn in the same way; the webhook is asked about one of them. What it
 * reads is also measured by itself.
 */
public final class AdmissionBench {
    private static final int WRITES = 300;
    private static final String NAMESPACE = "lvms-system";
    private static final String PLAIN = "bench-plain";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ResourceType CONFIGURATION = WebhookConfiguration.validating("").type();

    private final KubeClient kube;
    private final AtomicInteger asked = new AtomicInteger();
    private int writes;

    private AdmissionBench(KubeClient kube) {
        this.kube = kube;
    }

    /** Prints both times and their ratio, for the version of Kubernetes that is named. */
    public static void main(String[] args) throws Exception {
        var folder = Files.createTempDirectory("lvms-bench");
        try (var plane =
                        ControlPlane.options(Programs.find(), folder.resolve("plane"))
                                .kubernetes(args[0])
                                .flags(
                                        "kube-apiserver",
                                        "--disable-admission-plugins=ServiceAccount")
                                .start();
                var kube =
                        KubeClient.open(
                                KubeConfig.load(Optional.of(plane.kubeconfig())), "bench/1")) {
            new AdmissionBench(kube.withFieldManager("bench")).run(folder, args[0]);
        }
    }

    private void run(Path folder, String version) throws Exception {
        Definitions.install(kube, Definitions.ALL);
        var namespace = ObjectKey.cluster(NAMESPACE);
        kube.create(Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, namespace));
        var plain = create("plain", Map.of(PLAIN, "true"));
        var judged = create("judged", Map.of());
        var authority = Authority.make("bench", Duration.ofDays(1));
        var loopback = InetAddress.ofLiteral("127.0.0.1");
        authority.server("bench", List.of(), List.of(loopback)).save(folder, "tls");
        try (var webhook = serve(new InetSocketAddress(loopback, 0), folder)) {
            register(webhook.address().getPort(), authority.pem());
            awaitQuestions(judged);
            var calls =
                    List.<Callable<?>>of(
                            () -> write(plain), () -> writeAndRead(plain), () -> write(judged));
            int before = asked.get();
            var times = CallTimes.inTurn(WRITES, calls);
            report(version, times, asked.get() - before);
        }
    }

    private ObjectKey create(String name, Map<String, String> labels) throws Exception {
        var spec =
                "{\"storage\":{\"deviceClasses\":[{\"name\":\"vg1\",\"default\":true,"
                        + "\"deviceSelector\":{\"paths\":[\"/dev/vda\"]}}]}}";
        var key = ObjectKey.of(NAMESPACE, name);
        var object =
                KubeObject.create(LvmCluster.TYPE, key)
                        .with(ObjectTree.ofTexts(labels), "metadata", "labels")
                        .with(Json.parse(spec), "spec");
        return kube.create(LvmCluster.TYPE, object).key();
    }

    private HttpListener serve(InetSocketAddress address, Path folder) throws Exception {
        var path = "/validate-lvm-topolvm-io-v1alpha1-lvmcluster";
        var pages = new AdmissionPages(Map.of(path, new ClusterChecks(kube, NAMESPACE)));
        var tls = ServerTls.ofFolder(folder, () -> TlsBounds.DEFAULT);
        return HttpListener.start(
                address,
                Limits.CALLERS,
                Optional.of(tls),
                request -> {
                    asked.incrementAndGet();
                    return pages.answer(request);
                });
    }

    /** As shipped, but at our address, and not about the plain object. */
    private void register(int port, String authority) throws Exception {
        var shipped =
                Yaml.readAll(Files.readString(Path.of("deploy/admission/webhooks.yaml"))).stream()
                        .map(tree -> KubeObject.of(tree.asObject()))
                        .filter(object -> object.kind().equals(CONFIGURATION.kind()))
                        .findFirst()
                        .orElseThrow();
        var webhook = shipped.objects("webhooks").getFirst();
        var path = webhook.text("clientConfig", "service", "path").orElseThrow();
        var bundle = authority.getBytes(StandardCharsets.US_ASCII);
        var client =
                Map.of(
                        "url",
                        "https://127.0.0.1:" + port + path,
                        "caBundle",
                        Base64.getEncoder().encodeToString(bundle));
        var notPlain =
                Json.parse(
                        "{\"matchExpressions\":[{\"key\":\"%s\",\"operator\":\"DoesNotExist\"}]}"
                                .formatted(PLAIN));
        var changed =
                webhook.toBuilder()
                        .put("clientConfig", ObjectTree.ofTexts(client))
                        .put("objectSelector", notPlain)
                        .build();
        kube.apply(CONFIGURATION, shipped.with(ListTree.of(changed), "webhooks"));
    }

    private void awaitQuestions(ObjectKey judged) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (asked.get() == 0) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the API server asks no webhook");
            }
            write(judged);
        }
    }

    /** Changes the spec, so that all rules are checked. */
    private KubeObject write(ObjectKey key) throws Exception {
        var tolerations =
                "{\"spec\":{\"tolerations\":[{\"key\":\"bench-%d\",\"operator\":\"Exists\"}]}}"
                        .formatted(writes++);
        return kube.mergePatch(LvmCluster.TYPE, key, Json.parse(tolerations).asObject());
    }

    /** A plain write, and then what the webhook reads for each question. */
    private KubeObject writeAndRead(ObjectKey key) throws Exception {
        var written = write(key);
        kube.list(LvmVolumeGroup.TYPE, ListOptions.all().namespace(NAMESPACE));
        kube.list(Types.STORAGE_CLASS, ListOptions.all());
        return written;
    }

    private static void report(String version, List<CallTimes> times, int asked) {
        if (asked < WRITES) {
            throw new IllegalStateException("the webhook was asked only " + asked + " times");
        }
        var plain = times.getFirst();
        var judged = times.getLast();
        System.out.println("Kubernetes " + version + ", " + WRITES + " writes each, in turn");
        System.out.println("plain write:                 " + plain);
        System.out.println("plain write and two lists:   " + times.get(1));
        System.out.println("write through the webhook:   " + judged);
        System.out.printf("ratio of the medians:        %.1f%n", judged.median() / plain.median());
    }
}
