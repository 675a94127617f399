package lvms.k8s.client.wire;

import java.util.regex.Pattern;

/**
 * What of a text from outside may stand in a message: one line, not long, and without what looks
 * like a secret. Proxies and debugging servers send back what they got, headers included.
 */
public final class Excerpt {
    private static final int MOST_OF_A_BODY = 200;
    private static final int MOST_OF_A_MESSAGE = 4096;
    private static final int MOST_READ = 1 << 12; // some of the patterns are quadratic

    private static final Pattern TAGS =
            Pattern.compile("(?is)<(script|style|head)\\b.*?</\\1>|<[^>]*>");
    private static final Pattern TITLE = Pattern.compile("(?is)<title[^>]*>(.*?)</title>");
    private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Cntrl}]+");
    private static final Pattern SECRETS =
            Pattern.compile(
                    "(?i)\\b(bearer|basic)\\s+[\\w.~+/=-]{6,}"
                            + "|\\beyJ[\\w-]{8,}(\\.[\\w-]*)*"
                            + "|\\b((?:[\\w-]*(?:token|password|secret)))\\b\"?\\s*[:=]\\s*\\S+"
                            + "|(?<=://)[^/@\\s]*:[^/@\\s]*(?=@)");

    private Excerpt() {}

    /**
     * Returns the beginning of a body that is not a Status. JSON yields nothing: it may be any
     * object, such as a Secret.
     */
    public static String ofBody(String body) {
        var text = body.substring(0, Math.min(MOST_READ, body.length())).strip();
        if (text.startsWith("{") || text.startsWith("[") || text.startsWith("\"")) {
            return "";
        }
        return shortened(
                withoutSecrets(text.startsWith("<") ? ofPage(text) : text), MOST_OF_A_BODY);
    }

    private static String ofPage(String html) {
        var title = TITLE.matcher(html);
        return title.find() ? title.group(1) : TAGS.matcher(html).replaceAll(" ");
    }

    /** Returns a message of the server itself, which may be long and have several lines. */
    public static String ofMessage(String message) {
        return message.length() <= MOST_OF_A_MESSAGE
                ? message
                : message.substring(0, end(message, MOST_OF_A_MESSAGE)) + " ...";
    }

    /** Replaces what looks like a credential. */
    public static String withoutSecrets(String text) {
        return SECRETS.matcher(text)
                .replaceAll(
                        match -> {
                            var name = match.group(1) != null ? match.group(1) : match.group(3);
                            return name == null ? "***" : name + " ***";
                        });
    }

    private static String shortened(String text, int most) {
        var line = BLANKS.matcher(text).replaceAll(" ").strip();
        return line.length() <= most ? line : line.substring(0, end(line, most)) + " ...";
    }

    /** A character of two parts is not cut in half. */
    private static int end(String text, int most) {
        return Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    }
}
