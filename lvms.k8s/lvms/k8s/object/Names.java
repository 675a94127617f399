package lvms.k8s.object;

/** The grammars of names, checked with plain loops. */
public final class Names {
    private static final int MAX_LABEL = 63;
    private static final int MAX_SUBDOMAIN = 253;

    private Names() {}

    /** Returns whether the text is a DNS subdomain of at most 253 characters. */
    public static boolean isDnsSubdomain(String text) {
        if (text.isEmpty() || text.length() > MAX_SUBDOMAIN) {
            return false;
        }
        int start = 0;
        for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', start)) {
            if (!isDnsWord(text, start, dot)) {
                return false;
            }
            start = dot + 1;
        }
        return isDnsWord(text, start, text.length());
    }

    /** Returns whether the text is a DNS label of at most 63 characters. */
    public static boolean isDnsLabel(String text) {
        return text.length() <= MAX_LABEL && isDnsWord(text, 0, text.length());
    }

    /** Returns whether the text can be one segment of a URL path. */
    public static boolean isPathSegment(String text) {
        if (text.isEmpty() || text.equals(".") || text.equals("..")) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '/' || c == '%' || c <= ' ' || c == 0x7f) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the text is a label key: {@code [prefix/]name}. */
    public static boolean isLabelKey(String text) {
        int slash = text.indexOf('/');
        return slash < 0
                ? isLabelName(text)
                : isDnsSubdomain(text.substring(0, slash))
                        && isLabelName(text.substring(slash + 1));
    }

    /** Returns whether the text is the name part of a label key, or a label value that is set. */
    public static boolean isLabelName(String text) {
        int last = text.length() - 1;
        if (last < 0 || last >= MAX_LABEL) {
            return false;
        }
        for (int i = 0; i <= last; i++) {
            char c = text.charAt(i);
            boolean inner = i > 0 && i < last && (c == '-' || c == '_' || c == '.');
            if (!inner && !isAlphanumeric(c)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAlphanumeric(char c) {
        return isLowerOrDigit(c) || c >= 'A' && c <= 'Z';
    }

    private static boolean isLowerOrDigit(char c) {
        return c >= 'a' && c <= 'z' || c >= '0' && c <= '9';
    }

    private static boolean isDnsWord(String text, int from, int to) {
        if (from >= to || text.charAt(from) == '-' || text.charAt(to - 1) == '-') {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (text.charAt(i) != '-' && !isLowerOrDigit(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
