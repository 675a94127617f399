package lvms.release;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What is released, and for whom.
 *
 * @param version semantic version of the tag
 * @param commit of the tag
 * @param time of the commit, which is the time of everything in the release
 * @param registry host and path below which the images will be
 * @param downloads where the files will be, for krew; without a slash at the end
 * @param builder URI of who builds, for the provenance
 */
record Release(
        String version,
        String commit,
        Instant time,
        String registry,
        String downloads,
        String builder) {
    private static final Pattern VERSION =
            Pattern.compile("(0|[1-9][0-9]*)([.](0|[1-9][0-9]*)){2}");
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}([0-9a-f]{24})?");
    private static final Pattern REGISTRY =
            Pattern.compile("[a-z0-9]+([.-][a-z0-9]+)*(:[0-9]+)?(/[a-z0-9]+([._-]+[a-z0-9]+)*)*");
    private static final Pattern URI = Pattern.compile("[a-z][a-z0-9+.-]*:[^\\s\"]+[^\\s\"/]");

    Release {
        require(VERSION, version, "version", "0.1.0");
        require(COMMIT, commit, "commit", "40 hexadecimal digits");
        require(REGISTRY, registry, "registry", "registry.example.com/storage, in small letters");
        require(URI, downloads, "downloads", "https://example.com/lvms/v0.1.0");
        require(URI, builder, "builder", "https://example.com/builder");
    }

    private static void require(Pattern pattern, String text, String what, String example) {
        if (!pattern.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    what + " \"" + text + "\": expected one such as " + example);
        }
    }

    /** Returns the reference of the image of that name, with the version as its tag. */
    String tagged(String name) {
        return repository(name) + ":" + version;
    }

    String repository(String name) {
        return registry + "/" + name;
    }

    /** Returns the reference that nobody can change. */
    String pinned(String name, Descriptor image) {
        return repository(name) + "@" + image.digest();
    }

    /** Returns what images and artifacts say of their origin. */
    Map<String, String> annotations(String title) {
        var all = new TreeMap<String, String>();
        all.put("org.opencontainers.image.created", time.toString());
        all.put("org.opencontainers.image.licenses", "Apache-2.0");
        all.put("org.opencontainers.image.revision", commit);
        all.put("org.opencontainers.image.title", title);
        all.put("org.opencontainers.image.version", version);
        return all;
    }
}
