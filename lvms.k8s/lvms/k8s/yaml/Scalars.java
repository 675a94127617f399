package lvms.k8s.yaml;

import lvms.k8s.tree.NumberTree;
import lvms.k8s.tree.Tree;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/** What plain text means, and what an escape stands for. */
final class Scalars {
    private static final int MAX_NUMBER_CHARS = 64;

    private Scalars() {}

    /** Returns null, a boolean, a number or a string. */
    static Tree typed(String plain, Lines lines) {
        switch (plain) {
            case "", "~", "null", "Null", "NULL" -> {
                return Tree.NULL;
            }
            case "true", "True", "TRUE" -> {
                return Tree.of(true);
            }
            case "false", "False", "FALSE" -> {
                return Tree.of(false);
            }
            default -> {}
        }
        if (isOctal(plain)) {
            return octal(plain);
        }
        if (isAmbiguous(plain)) {
            throw lines.error(
                    "\"" + plain + "\" has another meaning in other versions of YAML; quote it");
        }
        return isNumber(plain) ? number(plain) : Tree.of(plain);
    }

    static boolean isAmbiguous(String plain) {
        return switch (plain.toLowerCase(Locale.ROOT)) {
            case "yes", "no", "on", "off" -> true;
            default -> false;
        };
    }

    /** Returns whether it is an octal number, as modes of files are written: 0644 or 0o644. */
    static boolean isOctal(String plain) {
        int start = plain.startsWith("0o") ? 2 : 1;
        return plain.length() > start
                && plain.length() <= MAX_NUMBER_CHARS
                && plain.startsWith("0")
                && digits(plain, start, "01234567") == plain.length();
    }

    /** kubectl reads them so, whatever the version of YAML. */
    private static NumberTree octal(String plain) {
        int start = plain.startsWith("0o") ? 2 : 1;
        return NumberTree.of(new BigInteger(plain.substring(start), 8));
    }

    private static NumberTree number(String plain) {
        var digits = plain.startsWith("+") ? plain.substring(1) : plain;
        if (digits.startsWith("0x")) {
            return NumberTree.of(new BigInteger(digits.substring(2), 16));
        }
        return NumberTree.parse(
                digits.startsWith(".") ? new BigDecimal(digits).toString() : digits);
    }

    /** Returns whether plain text is a number: an integer, a fraction, or 0x and hexadecimals. */
    static boolean isNumber(String text) {
        if (text.length() > MAX_NUMBER_CHARS) {
            return false;
        }
        if (text.startsWith("0x") && text.length() > 2) {
            return digits(text, 2, "0123456789abcdefABCDEF") == text.length();
        }
        int start = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        int point = digits(text, start, "0123456789");
        int end = point;
        if (point < text.length() && text.charAt(point) == '.') {
            end = digits(text, point + 1, "0123456789");
            if (end == start + 1) {
                return false; // just a dot
            }
        } else if (point > start + 1 && text.charAt(start) == '0') {
            return false; // 0089 is text, and so are the digits of an octal number with a sign
        }
        if (end == start) {
            return false;
        }
        if (end < text.length() && (text.charAt(end) == 'e' || text.charAt(end) == 'E')) {
            int sign = end + 1 < text.length() && "+-".indexOf(text.charAt(end + 1)) >= 0 ? 2 : 1;
            int stop = digits(text, end + sign, "0123456789");
            return stop == text.length() && stop > end + sign;
        }
        return end == text.length();
    }

    private static int digits(String text, int from, String alphabet) {
        int at = from;
        while (at < text.length() && alphabet.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    /** Appends what the escape at {@code at} stands for; returns where the text continues. */
    static int escape(String text, int at, StringBuilder value, Lines lines) {
        char c = text.charAt(at);
        int plain = "0abtnvfre \"/\\N_".indexOf(c);
        if (plain >= 0) {
            value.append("\0\u0007\b\t\n\u000b\f\r\u001b \"/\\\u0085\u00a0".charAt(plain));
            return at + 1;
        }
        int length =
                switch (c) {
                    case 'x' -> 2;
                    case 'u' -> 4;
                    case 'U' -> 8;
                    default -> throw lines.error("unknown escape \\" + c);
                };
        int end = at + 1 + length;
        try {
            value.appendCodePoint(Integer.parseInt(text.substring(at + 1, end), 16));
        } catch (IllegalArgumentException | IndexOutOfBoundsException _) {
            throw lines.error("bad escape \\" + c);
        }
        return end;
    }
}
