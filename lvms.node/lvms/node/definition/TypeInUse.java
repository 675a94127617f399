package lvms.node.definition;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Says whether the type LogicalVolume is in use. Deleting its CustomResourceDefinition deletes all
 * objects at once, but that does not mean that their data may be deleted.
 *
 * <p>The server is asked, since a cache may be out of date at the moment that counts. Whoever may
 * not read the definition learns it from what the server does with the type: of one that is being
 * deleted it creates no objects. A server may be late to say so, so the question is asked again
 * after a while.
 */
public final class TypeInUse {
    /** Twice what kube-apiserver gives its peers to learn of a definition. */
    public static final Duration SETTLING = Duration.ofSeconds(10);

    private static final System.Logger LOG = System.getLogger(TypeInUse.class.getName());

    private final KubeClient kube;
    private final Duration settling;
    private final Map<ResourceType, SharedAnswer<Optional<KubeObject>>> definitions =
            new ConcurrentHashMap<>();
    private final Map<String, Long> firstAsked = new ConcurrentHashMap<>();
    private final AtomicBoolean told = new AtomicBoolean();

    /** What is known of the type. */
    public enum Answer {
        IN_USE,
        BEING_DELETED,
        /** Ask again after the time for settling. */
        NOT_KNOWN_YET
    }

    /**
     * Prepares the questions; nothing is sent yet.
     *
     * @param settling how long a server may be late
     */
    public TypeInUse(KubeClient kube, Duration settling) {
        this.kube = kube;
        this.settling = settling;
    }

    /** Returns how long a server may be late. */
    public Duration settling() {
        return settling;
    }

    /** Answers for a volume whose object is being deleted. */
    public Answer of(LogicalVolume volume) throws ApiException, InterruptedException {
        var type = volume.driver().logicalVolumes();
        var answer = byDefinition(type, volume.object().uid());
        if (answer != Answer.NOT_KNOWN_YET) {
            firstAsked.remove(volume.object().uid());
        }
        return answer;
    }

    private Answer byDefinition(ResourceType type, String uid)
            throws ApiException, InterruptedException {
        try {
            return definitions
                    .computeIfAbsent(type, _ -> new SharedAnswer<>())
                    .ask(
                            () ->
                                    kube.findMetadata(
                                            Types.CRD, ObjectKey.cluster(type.qualifiedPlural())))
                    .filter(crd -> !crd.terminating())
                    .map(_ -> Answer.IN_USE)
                    .orElse(Answer.BEING_DELETED);
        } catch (ApiException.Forbidden e) {
            tell(e);
            return byVerbs(type, uid);
        }
    }

    private Answer byVerbs(ResourceType type, String uid)
            throws ApiException, InterruptedException {
        long now = System.nanoTime();
        long first = firstAsked.computeIfAbsent(uid, _ -> now);
        if (!createsObjectsOf(type)) {
            return Answer.BEING_DELETED;
        }
        return now - first < settling.toNanos() ? Answer.NOT_KNOWN_YET : Answer.IN_USE;
    }

    private boolean createsObjectsOf(ResourceType type) throws ApiException, InterruptedException {
        try {
            return kube.verbs(type).contains("create");
        } catch (ApiException.Misdirected _) {
            return false; // the type has gone
        }
    }

    private void tell(ApiException.Forbidden refusal) {
        if (told.compareAndSet(false, true)) {
            LOG.log(
                    WARNING,
                    () ->
                            "removing a volume takes "
                                    + settling.toSeconds()
                                    + " s longer: allow this agent to get the"
                                    + " CustomResourceDefinition of LogicalVolumes: "
                                    + refusal.getMessage());
        }
    }
}
