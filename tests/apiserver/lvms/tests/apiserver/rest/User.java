package lvms.tests.apiserver.rest;

import com.google.gson.JsonObject;

import lvms.tests.apiserver.json.Json;

import java.util.List;

/** Who a bearer token stands for. */
public record User(String name, String uid, List<String> groups) {
    /** The form in reviews. */
    public JsonObject json() {
        var json = Json.of("username", name, "groups", Json.array(groups));
        if (!uid.isEmpty()) {
            json.addProperty("uid", uid);
        }
        return json;
    }
}
