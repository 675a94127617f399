package lvms.k8s.testkit.cel;

import lvms.k8s.testkit.cel.Lexer.Kind;
import lvms.k8s.testkit.cel.Lexer.Token;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses the part of CEL that is supported; everything else is an error. */
final class Parser {
    private static final Set<String> LOOPS = Set.of("all", "exists", "exists_one", "map", "filter");
    private static final List<Set<String>> BINARY =
            List.of(
                    Set.of("||"),
                    Set.of("&&"),
                    Set.of("==", "!=", "<", "<=", ">", ">=", "in"),
                    Set.of("+"));
    private static final Map<String, Object> CONSTANTS =
            Map.of("true", true, "false", false, "null", Values.NULL);

    private final List<Token> tokens;
    private int at;

    private Parser(List<Token> tokens) {
        this.tokens = tokens;
    }

    static Expr parse(String source) throws CelException {
        var parser = new Parser(Lexer.tokens(source));
        var expression = parser.conditional();
        if (parser.peek().kind() != Kind.END) {
            throw new CelException("Syntax error: mismatched input '" + parser.peek().text() + "'");
        }
        return expression;
    }

    private Expr conditional() throws CelException {
        var condition = binary(0);
        if (!accept("?")) {
            return condition;
        }
        var yes = binary(0);
        expect(":");
        return new Expr.Call("?:", List.of(condition, yes, conditional()));
    }

    private Expr binary(int level) throws CelException {
        if (level == BINARY.size()) {
            return unary();
        }
        var left = binary(level + 1);
        while (BINARY.get(level).contains(peek().text()) && peek().kind() != Kind.STRING) {
            var operator = take().text();
            left = new Expr.Call(operator, List.of(left, binary(level + 1)));
        }
        return left;
    }

    private Expr unary() throws CelException {
        if (accept("!")) {
            return new Expr.Call("!", List.of(unary()));
        }
        return member();
    }

    private Expr member() throws CelException {
        var expression = primary();
        while (true) {
            if (accept(".")) {
                expression = selection(expression);
            } else if (accept("[")) {
                expression = new Expr.Index(expression, conditional());
                expect("]");
            } else {
                return expression;
            }
        }
    }

    private Expr selection(Expr operand) throws CelException {
        var name = name();
        if (!accept("(")) {
            return new Expr.Select(operand, name, false);
        }
        if (LOOPS.contains(name)) {
            return loop(operand, name);
        }
        var arguments = new ArrayList<Expr>(List.of(operand));
        arguments.addAll(list(")"));
        Functions.checkMethod(name, arguments.size());
        return new Expr.Call(name, arguments);
    }

    private Expr loop(Expr range, String macro) throws CelException {
        var variable = name();
        expect(",");
        var body = conditional();
        expect(")");
        return new Expr.Loop(macro, range, variable, body);
    }

    private Expr primary() throws CelException {
        var token = take();
        return switch (token.kind()) {
            case STRING -> new Expr.Literal(token.text());
            case INTEGER -> new Expr.Literal(Long.parseLong(token.text()));
            case NAME -> named(token.text());
            case SYMBOL -> bracketed(token);
            case END -> throw new CelException("Syntax error: mismatched input '<EOF>'");
        };
    }

    private Expr named(String name) throws CelException {
        if (CONSTANTS.containsKey(name)) {
            return new Expr.Literal(CONSTANTS.get(name));
        }
        if (!accept("(")) {
            return new Expr.Name(name);
        }
        var arguments = list(")");
        if (!name.equals("has")) {
            Functions.checkFunction(name, arguments.size());
            return new Expr.Call(name, arguments);
        }
        if (arguments.size() != 1 || !(arguments.getFirst() instanceof Expr.Select select)) {
            throw new CelException("invalid argument to has() macro");
        }
        return new Expr.Select(select.operand(), select.field(), true);
    }

    private Expr bracketed(Token token) throws CelException {
        if (token.is("(")) {
            var inner = conditional();
            expect(")");
            return inner;
        }
        if (token.is("[")) {
            return new Expr.ListOf(list("]"));
        }
        if (token.is("{")) {
            return new Expr.MapOf(entries());
        }
        throw new CelException("Syntax error: unexpected '" + token.text() + "'");
    }

    private List<Expr> entries() throws CelException {
        var entries = new ArrayList<Expr>();
        while (!accept("}")) {
            if (!entries.isEmpty()) {
                expect(",");
            }
            entries.add(conditional());
            expect(":");
            entries.add(conditional());
        }
        return entries;
    }

    private List<Expr> list(String end) throws CelException {
        var members = new ArrayList<Expr>();
        while (!accept(end)) {
            if (!members.isEmpty()) {
                expect(",");
            }
            members.add(conditional());
        }
        return members;
    }

    private String name() throws CelException {
        var token = take();
        if (token.kind() != Kind.NAME) {
            throw new CelException("Syntax error: expected a name, found '" + token.text() + "'");
        }
        return token.text();
    }

    private boolean accept(String symbol) {
        if (peek().is(symbol)) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(String symbol) throws CelException {
        if (!accept(symbol)) {
            throw new CelException(
                    "Syntax error: expected '" + symbol + "', found '" + peek().text() + "'");
        }
    }

    private Token peek() {
        return tokens.get(at);
    }

    private Token take() {
        var token = tokens.get(at);
        at = Math.min(at + 1, tokens.size() - 1);
        return token;
    }
}
