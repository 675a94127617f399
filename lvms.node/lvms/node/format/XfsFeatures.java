package lvms.node.format;

import lvms.api.filesystem.MkfsOptions;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a new xfs is like where its class does not say it. A program of the image makes it, and the
 * node's kernel has to mount it, which may be years older and refuses features that it does not
 * know; so may the kernel of the node that its disk moves to.
 *
 * <p>Large extent counters need Linux 5.19. Times after 2038 and counters of inode trees came as
 * experiments with 5.10; RHEL 9 has them with its 5.14, RHEL 8 never got them. Since xfsprogs 6.5
 * all of them are made by default. Reverse mappings, which are so as well, would cost space and
 * writes.
 *
 * @param kernel its release, as {@code uname -r} prints it
 */
public record XfsFeatures(String kernel) {
    private static final Pattern RELEASE = Pattern.compile("([0-9]{1,4})[.]([0-9]{1,4}).*");
    private static final int MAJOR = 5;
    private static final int MINOR = 14;

    private record Feature(String option, String name) {
        boolean isIn(MkfsOptions asked) {
            return asked.words().stream()
                    .flatMap(word -> List.of(word.split(",")).stream())
                    .anyMatch(part -> part.startsWith(name + "="));
        }
    }

    private static final List<Feature> NEVER =
            List.of(new Feature("-i", "nrext64"), new Feature("-m", "rmapbt"));
    private static final List<Feature> RECENT =
            List.of(new Feature("-m", "bigtime"), new Feature("-m", "inobtcount"));

    /** Those for the kernel of this node. */
    public static XfsFeatures ofThisKernel() {
        return new XfsFeatures(System.getProperty("os.version"));
    }

    /** The options that turn off what the kernel may not know; not what the class names itself. */
    public List<String> words(MkfsOptions asked) {
        var off = new ArrayList<>(NEVER);
        if (isOld()) {
            off.addAll(RECENT);
        }
        off.removeIf(feature -> feature.isIn(asked));
        return off.stream()
                .flatMap(feature -> List.of(feature.option(), feature.name() + "=0").stream())
                .toList();
    }

    /** One that says nothing is taken for old: every kernel mounts what is made for it. */
    private boolean isOld() {
        var release = RELEASE.matcher(kernel);
        if (!release.matches()) {
            return true;
        }
        int major = Integer.parseInt(release.group(1));
        return major < MAJOR || major == MAJOR && Integer.parseInt(release.group(2)) < MINOR;
    }
}
