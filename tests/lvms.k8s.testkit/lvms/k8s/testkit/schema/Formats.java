package lvms.k8s.testkit.schema;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;

/** The text formats that schemas may name; unknown ones fit everything. */
final class Formats {
    private static final Pattern IPV4 =
            Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.|$)){4}");
    private static final Pattern UUID =
            Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern HOST =
            Pattern.compile(
                    "([A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?)(\\.[A-Za-z0-9]"
                            + "([-A-Za-z0-9]{0,61}[A-Za-z0-9])?)*");
    private static final Pattern DURATION =
            Pattern.compile("[-+]?(\\d+(\\.\\d*)?(ns|us|µs|ms|s|m|h|d|w)\\s*)+|0");
    private static final Pattern BASE64 =
            Pattern.compile("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?");

    private Formats() {}

    static boolean fits(String format, String text) {
        return switch (format) {
            case "date" -> parses(() -> LocalDate.parse(text));
            case "date-time", "datetime" -> parses(() -> OffsetDateTime.parse(text));
            case "duration" -> DURATION.matcher(text).matches();
            case "ipv4" -> IPV4.matcher(text).matches();
            case "ipv6" -> text.contains(":") && text.matches("[0-9A-Fa-f:.]+");
            case "cidr" -> text.matches("[0-9A-Fa-f:.]+/\\d{1,3}");
            case "mac" -> text.matches("([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}");
            case "uri" -> isUri(text);
            case "hostname" -> HOST.matcher(text).matches();
            case "email" -> text.matches("[^@\\s]+@[^@\\s]+");
            case "uuid" -> UUID.matcher(text).matches();
            case "byte" -> BASE64.matcher(text).matches();
            default -> true;
        };
    }

    private static boolean parses(Runnable parse) {
        try {
            parse.run();
            return true;
        } catch (DateTimeException _) {
            return false;
        }
    }

    private static boolean isUri(String text) {
        try {
            return new URI(text).isAbsolute();
        } catch (URISyntaxException _) {
            return false;
        }
    }
}
