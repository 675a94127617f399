package lvms.launcher;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.admission.AdmissionPages;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.serving.TlsBounds;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.operator.TopolvmController;
import lvms.operator.admission.PodCapacity;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Where and whether TopoLVM's controller answers the webhook of pods. */
final class TopolvmWebhook {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final String ENABLED = "enable-webhooks";
    private static final String ADDRESS = "webhook-addr";
    private static final String FOLDER = "cert-dir";
    private static final String USUAL_FOLDER = "/tmp/k8s-webhook-server/serving-certs";

    static final List<Flag> FLAGS =
            List.of(
                    new Flag(ENABLED, Flag.Kind.SWITCH, "true", "answer the webhook of pods"),
                    new Flag(
                            ADDRESS,
                            Flag.Kind.ADDRESS,
                            ":9443",
                            "address of /pod/mutate, as soon as there is a certificate"),
                    new Flag(
                            FOLDER,
                            Flag.Kind.TEXT,
                            "",
                            "folder with tls.crt and tls.key, read again when they change; empty"
                                    + " takes "
                                    + USUAL_FOLDER));

    private TopolvmWebhook() {}

    /** Serves if it is to; returns whether what is to be served is. */
    static BooleanSupplier serve(
            Serving serving,
            Flags flags,
            KubeClient kube,
            TopolvmController controller,
            Driver driver,
            Drivers drivers) {
        var address = flags.address(ADDRESS);
        if (!flags.on(ENABLED) || address.isEmpty()) {
            return () -> true;
        }
        var folder = flags.text(FOLDER).isEmpty() ? USUAL_FOLDER : flags.text(FOLDER);
        LOG.log(INFO, () -> "webhook of pods is served with the certificate in folder=" + folder);
        var place =
                new WebhookServer.Place(
                        address.get(),
                        Path.of(folder),
                        () -> () -> TlsBounds.DEFAULT,
                        LatePort.PERIOD);
        controller.followClaims();
        var capacity = new PodCapacity(controller::find, driver, drivers);
        var pages = new AdmissionPages(Map.of("/pod/mutate", capacity), kube.metrics());
        var service = ObjectKey.of(kube.namespace(), "topolvm-controller");
        return serving.closing(new WebhookServer(kube, service, List.of(), place, pages))::isOpen;
    }
}
