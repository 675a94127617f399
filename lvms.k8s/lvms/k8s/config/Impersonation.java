package lvms.k8s.config;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.object.Json;
import lvms.k8s.object.PercentEncoding;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The headers by which a user acts as another. */
final class Impersonation {
    /**
     * One header.
     *
     * @param name name
     * @param value value
     */
    record Header(String name, String value) {}

    private Impersonation() {}

    /** Reads {@code as}, {@code as-uid}, {@code as-groups} and {@code as-user-extra}. */
    static List<Header> of(JsonObject user) throws KubeConfigException {
        var headers = new ArrayList<Header>();
        Json.text(user.get("as")).ifPresent(as -> headers.add(new Header("Impersonate-User", as)));
        boolean acts = !headers.isEmpty();
        Json.text(user.get("as-uid"))
                .ifPresent(uid -> headers.add(new Header("Impersonate-Uid", uid)));
        addAll(headers, "Impersonate-Group", user.get("as-groups"));
        if (user.get("as-user-extra") instanceof JsonObject extra) {
            for (var entry : extra.entrySet()) {
                var key = PercentEncoding.of(entry.getKey().toLowerCase(Locale.ROOT));
                addAll(headers, "Impersonate-Extra-" + key, entry.getValue());
            }
        }
        if (!headers.isEmpty() && !acts) {
            throw new KubeConfigException("as-uid, as-groups and as-user-extra need 'as'");
        }
        return headers;
    }

    private static void addAll(List<Header> headers, String name, JsonElement values) {
        if (values instanceof JsonArray array) {
            for (var value : array) {
                headers.add(new Header(name, value.getAsString()));
            }
        }
    }
}
