package lvms.k8s.object;

import java.util.ArrayList;
import java.util.List;

/** A test on fields: {@code metadata.name=a,spec.nodeName!=b}. All terms must hold. */
public final class FieldSelector {
    /** Selects everything. */
    public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    private final List<Term> terms;

    /**
     * One comparison.
     *
     * @param field path with dots
     * @param equal whether the value must be equal, or must differ
     * @param value what it is compared with; an absent field counts as empty text
     */
    public record Term(String field, boolean equal, String value) {
        boolean matches(KubeObject object) {
            var actual = object.text(field.split("\\.")).orElse("");
            return actual.equals(value) == equal;
        }

        @Override
        public String toString() {
            return field + (equal ? "=" : "!=") + escape(value);
        }
    }

    private FieldSelector(List<Term> terms) {
        this.terms = List.copyOf(terms);
    }

    /** Returns a selector with one equality; the value needs no escaping. */
    public static FieldSelector equal(String field, String value) {
        return new FieldSelector(List.of(new Term(field, true, value)));
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException naming the position of the first error
     */
    public static FieldSelector parse(String text) {
        var terms = new ArrayList<Term>();
        int start = 0;
        while (start <= text.length()) {
            int end = termEnd(text, start);
            if (end > start) {
                terms.add(term(text, start, end));
            }
            start = end + 1;
        }
        return new FieldSelector(terms);
    }

    private static int termEnd(String text, int start) {
        int at = start;
        while (at < text.length() && text.charAt(at) != ',') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at, text.length());
    }

    private static Term term(String text, int start, int end) {
        int sign = text.indexOf('=', start);
        if (sign <= start || sign >= end) {
            throw error(start, "no comparison");
        }
        boolean equal = text.charAt(sign - 1) != '!';
        var field = text.substring(start, equal ? sign : sign - 1).strip();
        int valueStart =
                equal && sign + 1 < end && text.charAt(sign + 1) == '=' ? sign + 2 : sign + 1;
        return new Term(field, equal, unescape(text, valueStart, end));
    }

    private static String unescape(String text, int start, int end) {
        var value = new StringBuilder(end - start);
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (c == '=') {
                throw error(i, "unescaped '='");
            }
            if (c == '\\') {
                i++;
                if (i >= end || "\\,=".indexOf(text.charAt(i)) < 0) {
                    throw error(i - 1, "bad escape");
                }
                c = text.charAt(i);
            }
            value.append(c);
        }
        return value.toString();
    }

    private static String escape(String value) {
        return value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
    }

    private static IllegalArgumentException error(int position, String what) {
        return new IllegalArgumentException(
                "field selector: " + what + " at position " + (position + 1));
    }

    /** Returns whether the object passes. Only text fields can be compared. */
    public boolean matches(KubeObject object) {
        for (var term : terms) {
            if (!term.matches(object)) {
                return false;
            }
        }
        return true;
    }

    public List<Term> terms() {
        return terms;
    }

    /** Returns the text form, with values escaped. */
    @Override
    public String toString() {
        var parts = new ArrayList<String>(terms.size());
        for (var term : terms) {
            parts.add(term.toString());
        }
        return String.join(",", parts);
    }
}
