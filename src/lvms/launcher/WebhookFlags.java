package lvms.launcher;

import lvms.k8s.admission.AdmissionPages;
import lvms.k8s.admission.WebhookConfiguration;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.operator.admission.ClusterChecks;
import lvms.operator.admission.ClusterDefaults;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The flags that say where and how the operator answers webhooks, and who answers them. */
final class WebhookFlags {
    private static final String ADDRESS = "webhook-bind-address";
    private static final String FOLDER = "webhook-cert-dir";
    private static final String SERVICE = "lvms-webhook-service";
    private static final String TYPE = "-lvm-topolvm-io-v1alpha1-lvmcluster";

    private static final List<WebhookConfiguration> CONFIGURATIONS =
            List.of(
                    WebhookConfiguration.mutating("lvms-mutating-webhook-configuration"),
                    WebhookConfiguration.validating("lvms-validating-webhook-configuration"));

    static final List<Flag> ALL =
            List.of(
                    new Flag(
                            ADDRESS,
                            Flag.Kind.ADDRESS,
                            ":9443",
                            "address of the webhooks for LVMClusters, once there is a certificate"
                                    + " or a configuration that names them; 0 turns them off"),
                    new Flag(
                            FOLDER,
                            Flag.Kind.TEXT,
                            "/tmp/k8s-webhook-server/serving-certs",
                            "folder with tls.crt and tls.key of the webhooks, read again when they"
                                    + " change; without them the operator makes a certificate"));

    private WebhookFlags() {}

    /** Serves the webhooks where the flags say, whether this process leads or stands by. */
    static void serve(
            Serving serving, Flags flags, KubeClient kube, PortTls tls, String namespace) {
        var address = flags.address(ADDRESS);
        if (address.isPresent()) {
            var folder = Path.of(flags.text(FOLDER));
            var pages =
                    new AdmissionPages(
                            Map.of(
                                    "/mutate" + TYPE, new ClusterDefaults(),
                                    "/validate" + TYPE, new ClusterChecks(kube, namespace)),
                            kube.metrics());
            serving.closing(
                    new WebhookServer(
                            kube,
                            ObjectKey.of(namespace, SERVICE),
                            CONFIGURATIONS,
                            new WebhookServer.Place(address.get(), folder, tls, LatePort.PERIOD),
                            pages));
        }
    }
}
