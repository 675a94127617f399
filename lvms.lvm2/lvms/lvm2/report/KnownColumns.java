package lvms.lvm2.report;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which columns this LVM has. A report with an unknown column fails as a whole and names the
 * column; later reports leave it out, and its value is empty. So an older LVM costs a few failed
 * commands after the start, and no list of versions can be wrong. Any thread may call.
 */
public final class KnownColumns {
    private static final Pattern UNKNOWN = Pattern.compile("Unrecogni[sz]ed field: (\\w+)");
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();

    /** Returns the columns, joined by commas, without those that LVM does not have. */
    public String of(String columns) {
        if (unknown.isEmpty()) {
            return columns;
        }
        return Arrays.stream(columns.split(","))
                .filter(column -> !unknown.contains(column))
                .collect(Collectors.joining(","));
    }

    /** Learns from a failed report; returns whether another try, without a column, may succeed. */
    public boolean learn(List<String> errors) {
        boolean learned = false;
        for (var error : errors) {
            var found = UNKNOWN.matcher(error);
            learned |= found.find() && unknown.add(found.group(1));
        }
        return learned;
    }
}
