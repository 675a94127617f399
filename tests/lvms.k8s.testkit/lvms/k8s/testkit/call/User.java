package lvms.k8s.testkit.call;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;

import java.util.List;
import java.util.Map;

/**
 * Who a bearer token stands for.
 *
 * @param extra further facts, such as the node of a pod's token
 */
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {

    /** A user without further facts. */
    public User(String name, String uid, List<String> groups) {
        this(name, uid, groups, Map.of());
    }

    /** The JSON form in reviews. */
    public JsonObject json() {
        var json = Json.of("username", name, "groups", Json.array(groups));
        if (!uid.isEmpty()) {
            json.addProperty("uid", uid);
        }
        if (!extra.isEmpty()) {
            var facts = new JsonObject();
            extra.forEach((key, values) -> facts.add(key, Json.array(values)));
            json.add("extra", facts);
        }
        return json;
    }
}
