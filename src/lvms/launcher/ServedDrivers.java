package lvms.launcher;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;

import java.time.Duration;
import java.util.Optional;

/** Finds the drivers that a controller serves, before it follows anything of theirs. */
record ServedDrivers(KubeClient kube, Serving serving) {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final Duration RETRY = Duration.ofSeconds(2);

    /** Waits until the server answers; returns nothing if the process is to end before. */
    Optional<Drivers> with(Driver driver) throws InterruptedException {
        while (true) {
            try {
                return Optional.of(Drivers.servedWith(kube, driver));
            } catch (ApiException e) {
                LOG.log(WARNING, () -> "CSIDriver not read, will retry: " + e.getMessage());
            }
            if (serving.endsWithin(RETRY)) {
                return Optional.empty();
            }
        }
    }
}
