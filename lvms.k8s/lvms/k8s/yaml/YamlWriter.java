package lvms.k8s.yaml;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.TextTree;
import lvms.k8s.tree.Tree;

/** Writes block style: two spaces for each level, lists at the level of their key. */
final class YamlWriter {
    private YamlWriter() {}

    static String write(Tree tree) {
        var out = new StringBuilder();
        switch (tree) {
            case ObjectTree object when !object.isEmpty() -> mapping(object, 0, false, out);
            case ListTree array when !array.isEmpty() -> sequence(array, 0, out);
            default -> out.append(scalar(tree)).append('\n');
        }
        return out.toString();
    }

    private static void mapping(
            ObjectTree object, int indent, boolean firstInPlace, StringBuilder out) {
        boolean inPlace = firstInPlace;
        for (var member : object.members().entrySet()) {
            out.append(inPlace ? "" : " ".repeat(indent));
            inPlace = false;
            out.append(string(member.getKey())).append(':');
            switch (member.getValue()) {
                case ObjectTree child when !child.isEmpty() -> {
                    out.append('\n');
                    mapping(child, indent + 2, false, out);
                }
                case ListTree child when !child.isEmpty() -> {
                    out.append('\n');
                    sequence(child, indent, out);
                }
                case Tree value -> out.append(' ').append(scalar(value)).append('\n');
            }
        }
    }

    private static void sequence(ListTree array, int indent, StringBuilder out) {
        for (var element : array) {
            out.append(" ".repeat(indent)).append("- ");
            switch (element) {
                case ObjectTree child when !child.isEmpty() ->
                        mapping(child, indent + 2, true, out);
                case ListTree child when !child.isEmpty() -> {
                    out.setLength(out.length() - 1);
                    out.append('\n');
                    sequence(child, indent + 2, out);
                }
                default -> out.append(scalar(element)).append('\n');
            }
        }
    }

    private static String scalar(Tree value) {
        return switch (value) {
            case ObjectTree _ -> "{}";
            case ListTree _ -> "[]";
            case TextTree text -> string(text.value());
            default -> Json.write(value);
        };
    }

    private static String string(String text) {
        return isPlain(text) ? text : quoted(text);
    }

    /** Returns whether the text reads back as itself without quotes. */
    private static boolean isPlain(String text) {
        if (text.isEmpty()
                || Scalars.isNumber(text)
                || Scalars.isOctal(text)
                || Scalars.isAmbiguous(text)) {
            return false;
        }
        switch (text) {
            case "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE" -> {
                return false;
            }
            default -> {}
        }
        char first = text.charAt(0);
        boolean word =
                first == '/' || first == '_' || first == '.' || Character.isLetterOrDigit(first);
        if (!word || text.startsWith("...") || text.startsWith("<<")) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean last = i == text.length() - 1;
            boolean plain = c > ' ' && c < 0x7f && c != '"' && c != '\'' && ",[]{}#".indexOf(c) < 0;
            if (!plain && (c != ' ' || last) || c == ':' && (last || text.charAt(i + 1) == ' ')) {
                return false;
            }
        }
        return true;
    }

    private static String quoted(String text) {
        var out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' '
                            || c >= 0x7f && c < 0xa0
                            || c == '\ufeff'
                            || Character.isSurrogate(c) && !paired(text, i)) {
                        out.append(hex(c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"').toString();
    }

    private static boolean paired(String text, int i) {
        char c = text.charAt(i);
        return Character.isHighSurrogate(c)
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }

    private static String hex(char c) {
        var digits = Integer.toHexString(c);
        return "\\u" + "0".repeat(4 - digits.length()) + digits;
    }
}
