package lvms.k8s.client;

import lvms.k8s.client.body.Expected;
import lvms.k8s.client.wire.Call;
import lvms.k8s.client.wire.Deadline;
import lvms.k8s.client.wire.Urls;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.Json;

import java.time.Duration;

/**
 * The end of one object. With its UID it may be asked for again and again, and never hits a new
 * object of the same name.
 *
 * @param caller for all parts of it
 */
record Removal(Caller caller, ResourceType type, ObjectKey key, DeleteOptions options) {
    private static final Duration FIRST_LOOK = Duration.ofMillis(100);
    private static final Duration RARE_LOOK = Duration.ofSeconds(2);

    /** Begins it, which may be all that there is to do. */
    Deletion begin() throws ApiException, InterruptedException {
        try {
            return shownBy(caller.object(call(), Expected.deletion(type, key.name())));
        } catch (ApiException.NotFound _) {
            return Deletion.GONE;
        } catch (ApiException.Conflict e) {
            if (!options.uid().isEmpty() && isGone()) {
                return Deletion.GONE;
            }
            throw e;
        }
    }

    private Call call() {
        var repeat = options.uid().isEmpty() ? Call.Repeat.NEVER : Call.Repeat.IDEMPOTENT;
        var json = Json.write(options.json(caller.dryRun()));
        var subject = type + " " + key;
        return Call.write("delete", "DELETE", Urls.object(type, key), json, repeat, subject)
                .of(type, key);
    }

    /**
     * Begins it and waits for its end, which finalizers decide.
     *
     * @param limit of all of it
     */
    Deletion await(Duration limit) throws ApiException, InterruptedException {
        if (options.uid().isEmpty()) {
            throw new IllegalArgumentException("to wait for its end takes the UID of an object");
        }
        var end = Deadline.in(limit);
        var deletion = begin();
        var pause = FIRST_LOOK;
        while (deletion == Deletion.IN_PROGRESS && pause.compareTo(end.left()) < 0) {
            Thread.sleep(pause);
            deletion = look();
            var longer = pause.multipliedBy(2);
            pause = longer.compareTo(RARE_LOOK) < 0 ? longer : RARE_LOOK;
        }
        return deletion;
    }

    /** Without an answer until the limit ends, nobody has said that it is gone. */
    private Deletion look() throws ApiException, InterruptedException {
        try {
            return isGone() ? Deletion.GONE : Deletion.IN_PROGRESS;
        } catch (ApiException.Unreachable e) {
            if (caller.callEnd().left().isZero()) {
                return Deletion.IN_PROGRESS;
            }
            throw e;
        }
    }

    /** An object without a UID says nothing, so it is not taken for another one. */
    private boolean isGone() throws ApiException, InterruptedException {
        var present = new Resource(caller, type, key).find();
        return present.map(KubeObject::uid)
                .map(uid -> !uid.isEmpty() && !uid.equals(options.uid()))
                .orElse(true);
    }

    /**
     * Reads the body of a successful delete: a Status, or the object. What keeps an object are its
     * finalizers, a pod's grace period, and the finalizers that a Namespace has in its spec.
     */
    private static Deletion shownBy(KubeObject body) {
        boolean status = body.kind().equals("Status") && body.apiVersion().equals("v1");
        boolean namespace = body.kind().equals("Namespace") && body.apiVersion().equals("v1");
        boolean waits =
                !body.finalizers().isEmpty()
                        || namespace && !body.list("spec", "finalizers").isEmpty()
                        || body.number("metadata", "deletionGracePeriodSeconds").orElse(0) > 0;
        return !status && body.terminating() && waits ? Deletion.IN_PROGRESS : Deletion.GONE;
    }
}
