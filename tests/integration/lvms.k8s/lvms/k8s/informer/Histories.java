package lvms.k8s.informer;

import lvms.k8s.object.KubeObject;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What happened to each object, step by step, as somebody saw it. A step is written as the states
 * before and after it, each a UID and a version: {@code ->u@5}, {@code u@5>u@9}, {@code u@9>-}.
 */
final class Histories implements Writers.Log {
    private final Map<String, List<String>> steps = new ConcurrentHashMap<>();
    private final Map<String, KubeObject> present = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();

    /** Takes what a handler was told: before and after are what it was told. */
    void told(Change change) {
        var seen = change.finalStateUnknown() ? " unseen" : "";
        add(change.object().name(), change.before(), change.after(), seen);
    }

    @Override
    public void wrote(String name, KubeObject now) {
        add(name, Optional.ofNullable(present.put(name, now)), Optional.of(now), "");
    }

    /** The deletion may have found nothing. */
    @Override
    public void deleted(String name) {
        var last = Optional.ofNullable(present.remove(name));
        if (last.isPresent()) {
            add(name, last, Optional.empty(), "");
        }
    }

    private void add(
            String name, Optional<KubeObject> before, Optional<KubeObject> after, String how) {
        steps.computeIfAbsent(name, _ -> new ArrayList<>())
                .add(text(before) + ">" + text(after) + how);
        count.incrementAndGet();
    }

    private static String text(Optional<KubeObject> object) {
        return object.map(o -> o.uid() + "@" + o.resourceVersion()).orElse("-");
    }

    /** Returns how many steps there are of all objects. */
    long count() {
        return count.get();
    }

    /** Returns where these differ from the truth: some objects, each with the first such step. */
    List<String> differences(Histories truth) {
        var names = new TreeSet<>(truth.steps.keySet());
        names.addAll(steps.keySet());
        return names.stream().flatMap(name -> difference(name, truth).stream()).limit(5).toList();
    }

    private Optional<String> difference(String name, Histories truth) {
        var told = steps.getOrDefault(name, List.of());
        var real = truth.steps.getOrDefault(name, List.of());
        if (told.equals(real)) {
            return Optional.empty();
        }
        int at = 0;
        while (at < Math.min(told.size(), real.size()) && told.get(at).equals(real.get(at))) {
            at++;
        }
        return Optional.of(
                "%s step %d: %s, in truth %s".formatted(name, at, step(told, at), step(real, at)));
    }

    private static String step(List<String> steps, int at) {
        return at < steps.size() ? steps.get(at) : "nothing";
    }
}
