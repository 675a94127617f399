package lvms.k8s.informer;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.Await;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Which ConfigMaps there are.
 *
 * @param texts the UID, version and value of each, by name
 */
record Contents(Map<String, String> texts) {
    static Contents of(Iterable<KubeObject> objects) {
        var texts = new HashMap<String, String>();
        objects.forEach(o -> texts.put(o.name(), text(o)));
        return new Contents(texts);
    }

    /** Asks the server. */
    static Contents at(KubeClient client) throws ApiException, InterruptedException {
        return of(client.list(Types.CONFIG_MAP, ListOptions.all().namespace("default")));
    }

    private static String text(KubeObject object) {
        var value = object.text("data", "v").orElse("");
        return object.uid() + " " + object.resourceVersion() + " " + value;
    }

    /** Waits until somebody shows exactly this. */
    void awaitAt(String whom, Supplier<Contents> shown, Supplier<String> circumstances) {
        Await.until(
                () -> whom + ": " + shown.get().differences(this) + "; " + circumstances.get(),
                () -> shown.get().equals(this));
    }

    /** Returns how many there are, and some that are otherwise than the truth. */
    private String differences(Contents truth) {
        var missing =
                truth.texts.entrySet().stream()
                        .filter(e -> !e.getValue().equals(texts.get(e.getKey())))
                        .limit(5)
                        .map(e -> e + " but " + texts.get(e.getKey()));
        var surplus = texts.keySet().stream().filter(name -> !truth.texts.containsKey(name));
        return "has %d, the server %d; otherwise %s; should be gone %s"
                .formatted(
                        texts.size(),
                        truth.texts.size(),
                        missing.toList(),
                        surplus.limit(5).toList());
    }

    /** Returns the names of some objects. */
    List<String> some(int count) {
        return texts.keySet().stream().sorted().limit(count).toList();
    }
}
