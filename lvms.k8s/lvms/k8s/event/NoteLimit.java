package lvms.k8s.event;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits how many Events one topic begins, so that a note with a number that changes all the time
 * does not fill the server. One thread.
 */
final class NoteLimit {
    private static final int MOST_EVENTS = 10; // and ten minutes: as client-go's correlator
    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final int MOST_TOPICS = 4096;

    private record Window(Instant ends, int events) {}

    private final Map<Event.Topic, Window> windows = new LinkedHashMap<>();

    /** Returns whether the topic may begin one more Event, and counts it if so. */
    boolean admits(Event.Topic topic, Instant now) {
        var window = windows.get(topic);
        if (window == null || !now.isBefore(window.ends())) {
            windows.remove(topic); // so that it is the youngest again
            if (windows.size() >= MOST_TOPICS) {
                windows.remove(windows.keySet().iterator().next());
            }
            window = new Window(now.plus(WINDOW), 0);
        }
        boolean admitted = window.events() < MOST_EVENTS;
        if (admitted) {
            windows.put(topic, new Window(window.ends(), window.events() + 1));
        }
        return admitted;
    }

    /** Forgets the topics whose time is over. */
    void forget(Instant now) {
        windows.values().removeIf(window -> !now.isBefore(window.ends()));
    }

    boolean isEmpty() {
        return windows.isEmpty();
    }
}
