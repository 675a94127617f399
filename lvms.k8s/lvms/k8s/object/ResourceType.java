package lvms.k8s.object;

import java.util.Objects;

/**
 * A kind of object that an API server serves, with what is needed to build its URLs.
 *
 * @param group API group, empty for the core group
 * @param version API version, such as {@code v1}
 * @param kind kind in the singular, such as {@code Pod}
 * @param plural resource name in the plural, such as {@code pods}
 * @param namespaced whether its objects live in namespaces
 */
public record ResourceType(
        String group, String version, String kind, String plural, boolean namespaced) {
    /** Checks that no part is missing. */
    public ResourceType {
        Objects.requireNonNull(group, "group");
        if (version.isEmpty() || kind.isEmpty() || plural.isEmpty()) {
            throw new IllegalArgumentException("resource type without version, kind or plural");
        }
    }

    /** Returns {@code v1} for the core group, else {@code group/version}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Returns {@code plural} for the core group, else {@code plural.group}, as errors do. */
    public String qualifiedPlural() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    @Override
    public String toString() {
        return qualifiedPlural();
    }
}
