package lvms.k8s.testkit.discovery;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;

/** The Kubernetes version whose behaviour and types this server has. */
public final class Versions {
    static final String GIT = "v1.36.3";

    private Versions() {}

    public static JsonObject json() {
        return Json.of(
                "major", "1",
                "minor", "36",
                "gitVersion", GIT,
                "gitCommit", "",
                "gitTreeState", "clean",
                "buildDate", "1970-01-01T00:00:00Z",
                "goVersion", "",
                "compiler", "",
                "platform", "linux/amd64");
    }
}
