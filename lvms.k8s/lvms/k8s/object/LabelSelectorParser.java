package lvms.k8s.object;

import java.util.ArrayList;
import java.util.List;

/** The grammar of label selector text, k8s.io/apimachinery/pkg/labels. */
final class LabelSelectorParser {
    private final String text;
    private int at;

    LabelSelectorParser(String text) {
        this.text = text;
    }

    List<LabelRequirement> parse() {
        var requirements = new ArrayList<LabelRequirement>();
        skipBlanks();
        if (at == text.length()) {
            return requirements;
        }
        requirements.add(requirement());
        while (at < text.length()) {
            expect(',');
            requirements.add(requirement());
        }
        return requirements;
    }

    private LabelRequirement requirement() {
        if (take('!')) {
            return new LabelRequirement(key(), LabelRequirement.Operator.DOES_NOT_EXIST, List.of());
        }
        var key = key();
        if (at == text.length() || peek() == ',') {
            return new LabelRequirement(key, LabelRequirement.Operator.EXISTS, List.of());
        }
        return switch (peek()) {
            case '!' -> {
                at++;
                expect('=');
                yield single(key, LabelRequirement.Operator.NOT_IN);
            }
            case '=' -> {
                at++;
                take('=');
                yield single(key, LabelRequirement.Operator.IN);
            }
            case '>' -> {
                at++;
                yield single(key, LabelRequirement.Operator.GT);
            }
            case '<' -> {
                at++;
                yield single(key, LabelRequirement.Operator.LT);
            }
            default -> set(key);
        };
    }

    private LabelRequirement single(String key, LabelRequirement.Operator operator) {
        skipBlanks();
        int start = at;
        var value = word();
        if (!isValue(value)) {
            throw error(start, "not a label value");
        }
        try {
            return new LabelRequirement(key, operator, List.of(value));
        } catch (IllegalArgumentException _) {
            throw error(start, "expected an integer");
        }
    }

    private LabelRequirement set(String key) {
        int start = at;
        var operator =
                switch (word()) {
                    case "in" -> LabelRequirement.Operator.IN;
                    case "notin" -> LabelRequirement.Operator.NOT_IN;
                    default -> throw error(start, "expected an operator");
                };
        expect('(');
        var values = new ArrayList<String>();
        do {
            skipBlanks();
            int valueStart = at;
            var value = word();
            if (!isValue(value)) {
                throw error(valueStart, "not a label value");
            }
            values.add(value);
        } while (take(','));
        expect(')');
        return new LabelRequirement(key, operator, values);
    }

    private String key() {
        skipBlanks();
        int start = at;
        var key = word();
        if (!Names.isLabelKey(key)) {
            throw error(start, "not a label key");
        }
        return key;
    }

    private static boolean isValue(String value) {
        return value.isEmpty() || Names.isLabelName(value);
    }

    private String word() {
        int start = at;
        while (at < text.length() && "=!<>(), \t".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        var word = text.substring(start, at);
        skipBlanks();
        return word;
    }

    private char peek() {
        return text.charAt(at);
    }

    private boolean take(char c) {
        skipBlanks();
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!take(c)) {
            throw error(at, "'" + c + "' expected");
        }
        skipBlanks();
    }

    private void skipBlanks() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }

    private static IllegalArgumentException error(int position, String what) {
        return new IllegalArgumentException(
                "label selector: " + what + " at position " + (position + 1));
    }
}
