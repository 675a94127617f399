package lvms.operator.nativestor;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a setting comes from: the ConfigMap, then the environment of the operator. An empty text in
 * the ConfigMap counts as a value; space around a value does not belong to it.
 *
 * @param configMap name of the ConfigMap; empty if there is none
 * @param data its data
 * @param environment variables of the operator
 */
public record SettingSource(
        String configMap, Map<String, String> data, Map<String, String> environment) {
    public SettingSource {
        Objects.requireNonNull(configMap, "configMap");
        data = Map.copyOf(data);
        environment = Map.copyOf(environment);
    }

    /** Returns the value, if either of them has one. */
    Optional<String> value(SettingKey key) {
        return Optional.ofNullable(data.getOrDefault(key.name(), environment.get(key.name())))
                .map(String::strip);
    }

    /** Returns where the value of a key was found, for people. */
    String where(SettingKey key) {
        return data.containsKey(key.name())
                ? "ConfigMap " + configMap + ", " + key
                : "environment variable " + key;
    }
}
