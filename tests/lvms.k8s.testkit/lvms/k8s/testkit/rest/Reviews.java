package lvms.k8s.testkit.rest;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.call.Tokens;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.Scalars;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.store.Key;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The virtual resources that answer questions about tokens and access. */
record Reviews(Tokens tokens, Cluster cluster) {
    /** Answers a review; nothing is stored. */
    JsonObject answer(Call call, JsonObject sent) {
        var review = sent.deepCopy();
        review.addProperty("kind", call.resource().kind());
        review.addProperty("apiVersion", call.resource().apiVersion());
        Json.child(review, "metadata");
        review.add("status", status(call, review));
        return review;
    }

    private JsonObject status(Call call, JsonObject review) {
        return switch (call.resource().kind()) {
            case "TokenReview" -> token(Json.text(review, "spec", "token"));
            case "SelfSubjectReview" -> Json.of("userInfo", call.user().json());
            default -> Json.of("allowed", true, "reason", "whoever has a token may do everything");
        };
    }

    private JsonObject token(String token) {
        return tokens.user(token)
                .map(user -> Json.of("authenticated", true, "user", user.json()))
                .orElseGet(() -> Json.of("error", "invalid bearer token"));
    }

    /** A token that is bound to a pod also names the pod and its node. */
    private Map<String, List<String>> extra(Call call, JsonObject sent) {
        if (!Json.text(sent, "spec", "boundObjectRef", "kind").equals("Pod")) {
            return Map.of();
        }
        var key = new Key(call.namespace(), Json.text(sent, "spec", "boundObjectRef", "name"));
        var pods = cluster.registry().find("", "v1", "pods").orElseThrow();
        var pod = cluster.get(pods, key).orElseThrow(() -> Refusal.notFound(pods, key.name()));
        var facts = new TreeMap<String, List<String>>();
        facts.put("authentication.kubernetes.io/pod-name", List.of(key.name()));
        facts.put(
                "authentication.kubernetes.io/pod-uid", List.of(Json.text(pod, "metadata", "uid")));
        var node = Json.text(pod, "spec", "nodeName");
        if (!node.isEmpty()) {
            facts.put("authentication.kubernetes.io/node-name", List.of(node));
        }
        return facts;
    }

    /** Issues a token for a service account. */
    JsonObject request(Call call, JsonObject sent, JsonObject account) {
        long seconds = Json.number(sent, 3600, "spec", "expirationSeconds");
        var token =
                tokens.issueForAccount(
                        call.key(), Json.text(account, "metadata", "uid"), extra(call, sent));
        return Json.of(
                "kind", "TokenRequest",
                "apiVersion", "authentication.k8s.io/v1",
                "metadata", Json.of("name", call.name(), "namespace", call.namespace()),
                "spec", Json.of("audiences", Json.arrayOf(), "expirationSeconds", seconds),
                "status",
                        Json.of(
                                "token",
                                token,
                                "expirationTimestamp",
                                Scalars.time(Instant.now().plusSeconds(seconds))));
    }
}
