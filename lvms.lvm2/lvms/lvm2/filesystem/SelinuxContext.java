package lvms.lvm2.filesystem;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The SELinux context that all files of a mounted filesystem have: mount option {@code context}.
 *
 * <p>Pods and the kernel write the same context in different ways, such as {@code s0:c26,c5} and
 * {@code s0:c5,c26}, so two are compared by what they mean. Source: the kernel's
 * security/selinux/ss/mls.c, {@code mls_sid_to_context}.
 *
 * @param text user, role, type and, if the policy has levels, the range, as it was written
 */
public record SelinuxContext(String text) {
    private static final String OPTION = "context=";
    private static final int PARTS = 4;
    private static final int CATEGORIES = 1024; // of the policies that distributions ship
    private static final Pattern CATEGORY = Pattern.compile("c([0-9]{1,4})(?:\\.c([0-9]{1,4}))?");

    /** Finds it among mount options of a request or of the kernel. */
    public static Optional<SelinuxContext> among(List<String> options) {
        return options.stream()
                .filter(option -> option.startsWith(OPTION))
                .map(option -> option.substring(OPTION.length()).replace("\"", ""))
                .map(SelinuxContext::new)
                .findFirst();
    }

    /** Returns whether both give the same access. */
    public boolean means(SelinuxContext other) {
        return normal().equals(other.normal());
    }

    private String normal() {
        var parts = text.split(":", PARTS);
        if (parts.length < PARTS) {
            return text;
        }
        var range =
                Stream.of(parts[PARTS - 1].split("-", 2))
                        .map(SelinuxContext::level)
                        .distinct() // s0-s0 is s0
                        .collect(Collectors.joining("-"));
        return String.join(":", parts[0], parts[1], parts[2], range);
    }

    private static String level(String level) {
        int colon = level.indexOf(':');
        if (colon < 0) {
            return level;
        }
        var categories = new BitSet();
        for (var part : OptionList.split(level.substring(colon + 1))) {
            var category = CATEGORY.matcher(part);
            if (!category.matches()) {
                return level;
            }
            int first = Integer.parseInt(category.group(1));
            int last = category.group(2) == null ? first : Integer.parseInt(category.group(2));
            if (last < first || last >= CATEGORIES) {
                return level;
            }
            categories.set(first, last + 1);
        }
        return level.substring(0, colon) + categories;
    }

    @Override
    public String toString() {
        return text;
    }
}
