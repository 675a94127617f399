package lvms.olm;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Versions as semver.org says, and ranges of them as OLM reads them: {@code >=1.0.0 <2.0.0 ||
 * >=3.0.0}.
 *
 * @param alternatives comparisons of which all hold
 */
record VersionRange(List<List<Comparison>> alternatives) {
    private static final Pattern VERSION =
            Pattern.compile(
                    "(0|[1-9]\\d*)[.](0|[1-9]\\d*)[.](0|[1-9]\\d*)"
                            + "(?:-([0-9A-Za-z-]+(?:[.][0-9A-Za-z-]+)*))?");
    private static final Pattern COMPARISON = Pattern.compile("(>=|<=|!=|>|<|=)(.+)");

    /** One bound. */
    record Comparison(String operator, String version) {
        boolean holds(String other) {
            int order = compare(other, version);
            return switch (operator) {
                case ">=" -> order >= 0;
                case "<=" -> order <= 0;
                case ">" -> order > 0;
                case "<" -> order < 0;
                case "!=" -> order != 0;
                default -> order == 0;
            };
        }
    }

    static boolean isVersion(String text) {
        return VERSION.matcher(text).matches();
    }

    /** Reads a range; throws an IllegalArgumentException if it is none. */
    static VersionRange of(String text) {
        return new VersionRange(
                Arrays.stream(text.split("\\|\\|", -1))
                        .map(part -> Arrays.stream(part.strip().split("\\s+")))
                        .map(words -> words.map(VersionRange::comparison).toList())
                        .toList());
    }

    private static Comparison comparison(String word) {
        var matcher = COMPARISON.matcher(word);
        if (!matcher.matches() || !isVersion(matcher.group(2))) {
            throw new IllegalArgumentException(word);
        }
        return new Comparison(matcher.group(1), matcher.group(2));
    }

    boolean includes(String version) {
        return alternatives.stream().anyMatch(all -> all.stream().allMatch(c -> c.holds(version)));
    }

    private static Matcher parts(String version) {
        var matcher = VERSION.matcher(version);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(version);
        }
        return matcher;
    }

    static int compare(String one, String other) {
        var a = parts(one);
        var b = parts(other);
        for (int i = 1; i <= 3; i++) {
            int order = Long.compare(Long.parseLong(a.group(i)), Long.parseLong(b.group(i)));
            if (order != 0) {
                return order;
            }
        }
        if (a.group(4) == null || b.group(4) == null) {
            return Boolean.compare(a.group(4) == null, b.group(4) == null);
        }
        return preReleases(a.group(4).split("[.]"), b.group(4).split("[.]"));
    }

    private static int preReleases(String[] a, String[] b) {
        for (int i = 0; i < Math.min(a.length, b.length); i++) {
            boolean first = a[i].matches("\\d+");
            boolean second = b[i].matches("\\d+");
            int order =
                    first && second
                            ? Long.compare(Long.parseLong(a[i]), Long.parseLong(b[i]))
                            : first != second
                                    ? Boolean.compare(second, first)
                                    : a[i].compareTo(b[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.length, b.length);
    }
}
