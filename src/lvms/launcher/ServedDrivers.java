package lvms.launcher;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;

import java.time.Duration;
import java.util.Optional;

/** Finds the drivers that a controller serves, before it follows anything of theirs. */
record ServedDrivers(KubeClient kube, Serving serving) {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final Duration RETRY = Duration.ofSeconds(2);

    /** What is asked. */
    private interface Question {
        Drivers ask() throws ApiException, InterruptedException;
    }

    /** Returns those of a controller of this driver; nothing if the process is to end before. */
    Optional<Drivers> with(Driver driver) throws InterruptedException {
        return answer(() -> Drivers.servedWith(kube, driver));
    }

    /** Returns those of an operator with NativeStor's settings; nothing as above. */
    Optional<Drivers> afterNativeStor() throws InterruptedException {
        return answer(
                () -> {
                    var drivers = Drivers.servedAfterNativeStor(kube);
                    tellWithoutType();
                    return drivers;
                });
    }

    /** No decision rests on a cache that is not filled, and one without a type never is. */
    private void tellWithoutType() throws ApiException, InterruptedException {
        if (!kube.serves(TopolvmCluster.TYPE)) {
            LOG.log(
                    WARNING,
                    () ->
                            "no cluster is carried out: with --nativestor the operator waits for"
                                    + " a type that this cluster does not know, kubectl apply -k"
                                    + " deploy/nativestor brings it type="
                                    + TopolvmCluster.TYPE.qualifiedPlural());
        }
    }

    /** Waits until the server answers. */
    private Optional<Drivers> answer(Question question) throws InterruptedException {
        while (true) {
            try {
                return Optional.of(question.ask());
            } catch (ApiException e) {
                LOG.log(WARNING, () -> "CSIDriver not read, will retry: " + e.getMessage());
            }
            if (serving.endsWithin(RETRY)) {
                return Optional.empty();
            }
        }
    }
}
