package lvms.k8s.client;

import lvms.k8s.client.body.Expected;
import lvms.k8s.client.wire.Call;
import lvms.k8s.client.wire.Urls;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Subset;

import java.util.Optional;

/**
 * A create whose answer may get lost. With a fixed name it is sent once more, and what is there
 * then is the result if this create can have made it.
 *
 * @param caller for all parts of it
 */
record Creation(Caller caller, ResourceType type, KubeObject object) {
    Creation {
        if (type.namespaced() && object.namespace().isEmpty()) {
            throw new IllegalArgumentException(type + " needs a namespace: " + object.name());
        }
    }

    KubeObject make() throws ApiException, InterruptedException {
        try {
            return sent();
        } catch (ApiException e) {
            boolean over = caller.callEnd().left().isZero();
            if (!e.outcomeUnknown() || object.name().isEmpty() || over) {
                throw e;
            }
        }
        try {
            return sentAgain();
        } catch (ApiException e) {
            throw e.afterLostAttempt();
        }
    }

    private KubeObject sent() throws ApiException, InterruptedException {
        var path = Urls.collection(type, object.namespace()) + caller.written();
        var subject = type + " " + object.key();
        return caller.object(
                Call.write("create", "POST", path, object.toJson(), Call.Repeat.NEVER, subject),
                Expected.object(type, object.name()));
    }

    private KubeObject sentAgain() throws ApiException, InterruptedException {
        try {
            return sent();
        } catch (ApiException.AlreadyExists e) {
            return new Resource(caller, type, object.key())
                    .find()
                    .filter(this::canHaveMade)
                    .orElseThrow(() -> e);
        }
    }

    /**
     * Returns whether the object has every field that was sent, is not going away, and the server
     * has not noted that somebody else made it.
     */
    private boolean canHaveMade(KubeObject found) {
        return Subset.holds(object.json(), found.json())
                && (!found.terminating() || object.terminating())
                && isNotedAsOurs(found);
    }

    /** The server notes each writer; servers and webhooks may leave the notes out. */
    private boolean isNotedAsOurs(KubeObject found) {
        var manager = Optional.of(caller.manager());
        var entries = found.objects("metadata", "managedFields");
        return entries.isEmpty()
                || entries.stream().anyMatch(entry -> entry.text("manager").equals(manager));
    }
}
