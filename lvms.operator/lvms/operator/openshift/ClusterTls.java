package lvms.operator.openshift;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.serving.TlsBounds;

import java.util.Optional;

/**
 * The cluster's TLS profile, now. Where the type is not served, it asks once and follows nothing.
 * Any thread may use it.
 */
public final class ClusterTls {
    /** The type, which only OpenShift has. */
    public static final ResourceType TYPE =
            new ResourceType("config.openshift.io", "v1", "APIServer", "apiservers", false);

    /** The one object of the type. */
    public static final ObjectKey KEY = ObjectKey.cluster("cluster");

    private static final System.Logger LOG = System.getLogger(ClusterTls.class.getName());

    private final KubeClient kube;
    private final Informer apiServers;
    private boolean asked;
    private Reading reading = Reading.NOTHING;

    /** What was made of the profile that the cluster has. */
    private record Reading(
            Optional<TlsProfile> wanted, Optional<TlsProfile> profile, TlsBounds bounds) {
        static final Reading NOTHING =
                new Reading(Optional.empty(), Optional.empty(), TlsBounds.DEFAULT);

        static Reading of(TlsProfile wanted) {
            var profile = wanted.supported();
            LOG.log(INFO, () -> "TLS profile found " + profile + " skipped=" + wanted.unknown());
            return new Reading(Optional.of(wanted), Optional.of(profile), profile.bounds());
        }

        Reading then(Optional<TlsProfile> now) {
            return wanted.equals(now) ? this : now.map(Reading::of).orElse(NOTHING);
        }
    }

    public ClusterTls(KubeClient kube) {
        this.kube = kube;
        apiServers =
                Informer.of(kube, TYPE)
                        .fieldSelector("metadata.name=" + KEY.name())
                        .transform(object -> object.without("metadata", "managedFields"))
                        .build();
    }

    /** Returns what follows the profile, if there is one; whoever ends closes it. */
    public Informer apiServers() {
        return apiServers;
    }

    /**
     * Returns the profile, as far as this JDK can do it; empty where the cluster has none.
     *
     * @throws ApiException if the cluster does not answer when it is asked the first time
     */
    public synchronized Optional<TlsProfile> profile() throws ApiException, InterruptedException {
        if (!asked) {
            ask();
            asked = true;
        }
        return read().profile();
    }

    private void ask() throws ApiException, InterruptedException {
        try {
            if (kube.serves(TYPE)) {
                reading = reading.then(kube.find(TYPE, KEY).map(TlsProfile::of));
                apiServers.start();
            }
        } catch (ApiException.Forbidden e) { // an older role; the ports are needed nevertheless
            LOG.log(WARNING, () -> "the cluster's TLS profile is not followed cause=" + e);
        }
    }

    /** Returns what a server accepts from now on; before {@link #profile()}, the defaults. */
    public synchronized TlsBounds bounds() {
        return read().bounds();
    }

    private Reading read() {
        if (apiServers.synced()) {
            reading = reading.then(apiServers.get(KEY).map(TlsProfile::of));
        }
        return reading;
    }
}
