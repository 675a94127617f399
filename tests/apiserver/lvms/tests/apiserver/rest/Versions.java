package lvms.tests.apiserver.rest;

import com.google.gson.JsonObject;

import lvms.tests.apiserver.json.Json;

/** The Kubernetes version whose behaviour and types this server follows. */
final class Versions {
    static final String GIT = "v1.34.4";

    private Versions() {}

    static JsonObject json() {
        return Json.of(
                "major", "1",
                "minor", "34",
                "gitVersion", GIT,
                "gitCommit", "",
                "gitTreeState", "clean",
                "buildDate", "1970-01-01T00:00:00Z",
                "goVersion", "",
                "compiler", "",
                "platform", "linux/amd64");
    }
}
