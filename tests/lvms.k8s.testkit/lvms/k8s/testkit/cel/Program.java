package lvms.k8s.testkit.cel;

import com.google.gson.JsonElement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A compiled expression, by default over {@code self} and {@code oldSelf}. */
public final class Program {
    private static final Set<String> VARIABLES = Set.of("self", "oldSelf");

    private final String text;
    private final Expr root;
    private final List<List<String>> names = new ArrayList<>();

    private Program(String text, Expr root) {
        this.text = text;
        this.root = root;
    }

    /** Compiles an expression; anything unknown or unsupported fails here, not at run time. */
    public static Program compile(String text) throws CelException {
        return compile(text, VARIABLES);
    }

    /** Compiles an expression over other variables. */
    public static Program compile(String text, Set<String> variables) throws CelException {
        var program = new Program(text, Parser.parse(text));
        program.inspect(program.root, variables);
        return program;
    }

    /** The source. */
    public String text() {
        return text;
    }

    /** Whether a variable occurs. */
    public boolean uses(String variable) {
        return names.stream().anyMatch(path -> path.getFirst().equals(variable));
    }

    /**
     * The fields that are selected directly from the variables, as unescaped paths that start with
     * the variable.
     */
    public List<List<String>> selections() {
        return names;
    }

    /** Evaluates a rule. */
    public boolean test(JsonElement self, Optional<JsonElement> oldSelf, boolean optionalOldSelf)
            throws CelException {
        return Values.truth(evaluate(self, oldSelf, optionalOldSelf));
    }

    /** Evaluates an expression that makes a message. */
    public String message(JsonElement self, Optional<JsonElement> oldSelf, boolean optional)
            throws CelException {
        return String.valueOf(evaluate(self, oldSelf, optional));
    }

    private Object evaluate(JsonElement self, Optional<JsonElement> oldSelf, boolean optional)
            throws CelException {
        Map<String, Object> variables = new HashMap<>();
        variables.put("self", Values.of(self));
        if (optional) {
            variables.put("oldSelf", oldSelf.map(Values::of));
        } else {
            oldSelf.ifPresent(old -> variables.put("oldSelf", Values.of(old)));
        }
        return new Evaluator(variables).evaluate(root);
    }

    /** Evaluates over variables that {@link #value} or other programs made. */
    public Object evaluate(Map<String, Object> variables) throws CelException {
        return new Evaluator(variables).evaluate(root);
    }

    /** A JSON value as the value of a variable. */
    public static Object value(JsonElement json) {
        return Values.of(json);
    }

    private void inspect(Expr expression, Set<String> known) throws CelException {
        switch (expression) {
            case Expr.Literal _ -> {}
            case Expr.Name name -> require(name.name(), known);
            case Expr.Select select -> {
                var path = path(select);
                if (path.isPresent() && known.contains(path.get().getFirst())) {
                    require(path.get().getFirst(), known);
                    names.add(path.get());
                } else {
                    inspect(select.operand(), known);
                }
            }
            case Expr.Index index -> {
                inspect(index.operand(), known);
                inspect(index.index(), known);
            }
            case Expr.Call call -> inspectAll(call.arguments(), known);
            case Expr.ListOf list -> inspectAll(list.members(), known);
            case Expr.MapOf map -> inspectAll(map.entries(), known);
            case Expr.Loop loop -> {
                inspect(loop.range(), known);
                var inner = new HashSet<>(known);
                inner.add(loop.variable());
                inspect(loop.body(), inner);
            }
        }
    }

    private void inspectAll(List<Expr> expressions, Set<String> known) throws CelException {
        for (var expression : expressions) {
            inspect(expression, known);
        }
    }

    private void require(String name, Set<String> known) throws CelException {
        if (!known.contains(name)) {
            throw new CelException("undeclared reference to '" + name + "' (in container '')");
        }
        names.add(List.of(name));
    }

    /** The names from a variable through its fields; empty for any other expression. */
    private static Optional<List<String>> path(Expr expression) {
        return switch (expression) {
            case Expr.Name name -> Optional.of(List.of(name.name()));
            case Expr.Select select ->
                    path(select.operand())
                            .map(
                                    parent -> {
                                        var path = new ArrayList<>(parent);
                                        path.add(Values.unescape(select.field()));
                                        return path;
                                    });
            default -> Optional.empty();
        };
    }
}
