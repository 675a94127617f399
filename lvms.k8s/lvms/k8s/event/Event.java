package lvms.k8s.event;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Names;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Times;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;

/**
 * An Event about an object, before it is written.
 *
 * @param regarding the object
 * @param type whether a person should look at it
 * @param reason one word in CamelCase
 * @param action what was being done
 * @param note the sentence for people
 */
record Event(
        KubeObject regarding, EventRecorder.Type type, String reason, String action, String note) {
    private static final int MAX_NOTE_BYTES = 1024; // events.k8s.io/v1 refuses more
    private static final int MAX_WORD = 128;

    private static final String COMBINED = "(combined from similar events): "; // as client-go does

    /** What an event is about: everything but the note. */
    record Topic(
            String apiVersion,
            String kind,
            ObjectKey key,
            String uid,
            EventRecorder.Type type,
            String reason,
            String action) {}

    /**
     * Events with these same values form one series. The note is one of them, since the server
     * keeps the note that a series began with: another text would never be seen.
     */
    record Series(Topic topic, String note) {}

    Event {
        Objects.requireNonNull(regarding, "regarding");
        Objects.requireNonNull(type, "type");
        note = cut(Objects.requireNonNullElse(note, ""));
        reason = reason.substring(0, Math.min(reason.length(), MAX_WORD));
        action = action.substring(0, Math.min(action.length(), MAX_WORD));
    }

    Topic topic() {
        return new Topic(
                regarding.apiVersion(),
                regarding.kind(),
                regarding.key(),
                regarding.uid(),
                type,
                reason,
                action);
    }

    Series series() {
        return new Series(topic(), note);
    }

    /** Returns the series of those events of a topic that get no Event of their own. */
    Series combinedSeries() {
        return new Series(topic(), COMBINED);
    }

    /** Returns the event that begins that series: the note says that it is one of several. */
    Event combined() {
        return new Event(regarding, type, reason, action, COMBINED + note);
    }

    KubeObject object(String controller, String instance, Instant now) {
        return KubeObject.create(Types.EVENT, key(now))
                .with(Times.micros(now), "eventTime")
                .with(controller, "reportingController")
                .with(
                        instance.substring(0, Math.min(instance.length(), MAX_WORD)),
                        "reportingInstance")
                .with(action, "action")
                .with(reason, "reason")
                .with(reference(), "regarding")
                .with(note, "note")
                .with(type == EventRecorder.Type.WARNING ? "Warning" : "Normal", "type");
    }

    private ObjectKey key(Instant now) {
        long nanos = now.getEpochSecond() * 1_000_000_000 + now.getNano();
        var name = regarding.name() + "." + Long.toHexString(nanos);
        var namespace = regarding.namespace().isEmpty() ? "default" : regarding.namespace();
        return ObjectKey.of(
                namespace,
                Names.isDnsSubdomain(name)
                        ? name
                        : UUID.randomUUID().toString().toLowerCase(Locale.ROOT));
    }

    private ObjectTree reference() {
        var reference = ObjectTree.builder();
        reference.put("apiVersion", regarding.apiVersion());
        reference.put("kind", regarding.kind());
        reference.put("name", regarding.name());
        if (!regarding.namespace().isEmpty()) {
            reference.put("namespace", regarding.namespace());
        }
        if (!regarding.uid().isEmpty()) {
            reference.put("uid", regarding.uid());
        }
        if (!regarding.resourceVersion().isEmpty()) {
            reference.put("resourceVersion", regarding.resourceVersion());
        }
        return reference.build();
    }

    /** Cuts between characters, not inside one. */
    private static String cut(String note) {
        var bytes = note.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_NOTE_BYTES) {
            return note;
        }
        int end = MAX_NOTE_BYTES;
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
}
