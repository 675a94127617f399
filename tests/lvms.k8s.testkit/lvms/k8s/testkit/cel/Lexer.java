package lvms.k8s.testkit.cel;

import java.util.ArrayList;
import java.util.List;

/** Splits an expression into tokens. */
final class Lexer {
    /** The kinds of token. */
    enum Kind {
        NAME,
        STRING,
        INTEGER,
        SYMBOL,
        END
    }

    record Token(Kind kind, String text) {
        boolean is(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }
    }

    private static final List<String> PAIRS = List.of("==", "!=", "<=", ">=", "&&", "||");

    private final String source;
    private int at;

    private Lexer(String source) {
        this.source = source;
    }

    static List<Token> tokens(String source) throws CelException {
        var lexer = new Lexer(source);
        var tokens = new ArrayList<Token>();
        do {
            tokens.add(lexer.next());
        } while (tokens.getLast().kind() != Kind.END);
        return tokens;
    }

    private Token next() throws CelException {
        while (at < source.length() && Character.isWhitespace(source.charAt(at))) {
            at++;
        }
        if (at == source.length()) {
            return new Token(Kind.END, "");
        }
        char c = source.charAt(at);
        if (Character.isLetter(c) || c == '_') {
            return name();
        }
        if (Character.isDigit(c)) {
            return number();
        }
        return c == '"' || c == '\'' ? string(c, false) : symbol();
    }

    private Token name() throws CelException {
        int start = at;
        while (at < source.length() && Character.isJavaIdentifierPart(source.charAt(at))) {
            at++;
        }
        var text = source.substring(start, at);
        if (text.equals("r") && at < source.length() && "'\"".indexOf(source.charAt(at)) >= 0) {
            return string(source.charAt(at), true);
        }
        return new Token(Kind.NAME, text);
    }

    private Token number() throws CelException {
        int start = at;
        while (at < source.length() && Character.isDigit(source.charAt(at))) {
            at++;
        }
        if (at < source.length()
                && (Character.isLetter(source.charAt(at)) || source.charAt(at) == '.')) {
            throw new CelException("unsupported number at " + start);
        }
        return new Token(Kind.INTEGER, source.substring(start, at));
    }

    private Token string(char quote, boolean raw) throws CelException {
        if (source.startsWith(String.valueOf(quote).repeat(3), at)) {
            throw new CelException("unsupported: triple-quoted text");
        }
        var text = new StringBuilder();
        for (at++; at < source.length(); at++) {
            char c = source.charAt(at);
            if (c == quote) {
                at++;
                return new Token(Kind.STRING, text.toString());
            }
            if (c == '\\' && !raw) {
                at++;
                text.append(escaped());
            } else {
                text.append(c);
            }
        }
        throw new CelException("unterminated text");
    }

    private char escaped() throws CelException {
        return switch (at < source.length() ? source.charAt(at) : ' ') {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case '\\' -> '\\';
            case '\'' -> '\'';
            case '"' -> '"';
            case '`' -> '`';
            case '?' -> '?';
            default -> throw new CelException("unsupported escape at " + at);
        };
    }

    private Token symbol() throws CelException {
        for (var pair : PAIRS) {
            if (source.startsWith(pair, at)) {
                at += 2;
                return new Token(Kind.SYMBOL, pair);
            }
        }
        char c = source.charAt(at++);
        if ("+!<>?:.,()[]{}".indexOf(c) < 0) {
            throw new CelException("token recognition error at: '" + c + "'");
        }
        return new Token(Kind.SYMBOL, String.valueOf(c));
    }
}
