package lvms.k8s.yaml;

import com.google.gson.JsonElement;

import java.util.List;

/** Reads and writes YAML as JSON trees. */
public final class Yaml {
    private Yaml() {}

    /**
     * Reads one document; empty text is null.
     *
     * @throws YamlException naming the line
     */
    public static JsonElement read(String text) {
        throw new UnsupportedOperationException();
    }

    /**
     * Reads all documents, without empty ones.
     *
     * @throws YamlException naming the line
     */
    public static List<JsonElement> readAll(String text) {
        throw new UnsupportedOperationException();
    }

    /** Writes block style text that {@link #read} reads back. */
    public static String write(JsonElement tree) {
        throw new UnsupportedOperationException();
    }
}
