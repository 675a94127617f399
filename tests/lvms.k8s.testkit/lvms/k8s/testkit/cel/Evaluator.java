package lvms.k8s.testkit.cel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Evaluates an expression over given variables. */
record Evaluator(Map<String, Object> variables) {

    Object evaluate(Expr expression) throws CelException {
        return switch (expression) {
            case Expr.Literal literal -> literal.value();
            case Expr.Name name -> variable(name.name());
            case Expr.Select select -> select(select);
            case Expr.Index index -> index(index);
            case Expr.Call call -> call(call);
            case Expr.ListOf list -> all(list.members());
            case Expr.MapOf map -> map(all(map.entries()));
            case Expr.Loop loop -> loop(loop);
        };
    }

    private Object variable(String name) throws CelException {
        var value = variables.get(name);
        if (value == null) {
            throw new CelException("no such attribute: " + name);
        }
        return value;
    }

    private Object select(Expr.Select select) throws CelException {
        var map = Values.map(evaluate(select.operand()));
        var name = Values.unescape(select.field());
        if (select.test()) {
            return map.containsKey(name);
        }
        if (!map.containsKey(name)) {
            throw new CelException("no such key: " + name);
        }
        return map.get(name);
    }

    private Object index(Expr.Index index) throws CelException {
        var operand = evaluate(index.operand());
        var key = evaluate(index.index());
        if (operand instanceof List<?> list && key instanceof Long at) {
            if (at < 0 || at >= list.size()) {
                throw new CelException("index out of bounds: " + at);
            }
            return list.get(at.intValue());
        }
        var map = Values.map(operand);
        if (!map.containsKey(key)) {
            throw new CelException("no such key: " + key);
        }
        return map.get(key);
    }

    private Object call(Expr.Call call) throws CelException {
        var arguments = call.arguments();
        return switch (call.function()) {
            case "&&" -> logic(arguments, false);
            case "||" -> logic(arguments, true);
            case "?:" ->
                    evaluate(
                            Values.truth(evaluate(arguments.getFirst()))
                                    ? arguments.get(1)
                                    : arguments.get(2));
            default -> operate(call.function(), all(arguments));
        };
    }

    /** Any one side may decide, even if another fails. */
    private boolean logic(List<Expr> sides, boolean decisive) throws CelException {
        CelException failure = null;
        for (var side : sides) {
            try {
                if (Values.truth(evaluate(side)) == decisive) {
                    return decisive;
                }
            } catch (CelException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return !decisive;
    }

    private static Object operate(String operator, List<Object> values) throws CelException {
        var first = values.getFirst();
        if (operator.equals("!")) {
            return !Values.truth(first);
        }
        var second = values.size() > 1 ? values.get(1) : Values.NULL;
        return switch (operator) {
            case "==" -> Values.equal(first, second);
            case "!=" -> !Values.equal(first, second);
            case "<" -> Values.compare(first, second) < 0;
            case "<=" -> Values.compare(first, second) <= 0;
            case ">" -> Values.compare(first, second) > 0;
            case ">=" -> Values.compare(first, second) >= 0;
            case "in" -> Values.list(second).stream().anyMatch(v -> Values.equal(v, first));
            case "+" -> Values.text(first) + Values.text(second);
            default -> Functions.call(operator, values);
        };
    }

    private static Map<Object, Object> map(List<Object> keysAndValues) {
        var map = new HashMap<Object, Object>();
        for (int i = 0; i < keysAndValues.size(); i += 2) {
            map.put(keysAndValues.get(i), keysAndValues.get(i + 1));
        }
        return map;
    }

    private List<Object> all(List<Expr> expressions) throws CelException {
        var values = new ArrayList<Object>();
        for (var expression : expressions) {
            values.add(evaluate(expression));
        }
        return values;
    }

    private Object loop(Expr.Loop loop) throws CelException {
        var results = new ArrayList<Object>();
        var chosen = new ArrayList<Object>();
        CelException failure = null;
        for (var member : Values.list(evaluate(loop.range()))) {
            var inner = new HashMap<>(variables);
            inner.put(loop.variable(), member);
            try {
                var result = new Evaluator(inner).evaluate(loop.body());
                results.add(result);
                if (Boolean.TRUE.equals(result)) {
                    chosen.add(member);
                }
            } catch (CelException e) {
                failure = e;
            }
        }
        return outcome(loop.macro(), results, chosen, failure);
    }

    private static Object outcome(
            String macro, List<Object> results, List<Object> chosen, CelException failure)
            throws CelException {
        boolean decided =
                switch (macro) {
                    case "all" -> chosen.size() < results.size();
                    case "exists" -> !chosen.isEmpty();
                    default -> false;
                };
        if (failure != null && !decided) {
            throw failure;
        }
        return switch (macro) {
            case "all" -> chosen.size() == results.size();
            case "exists" -> !chosen.isEmpty();
            case "exists_one" -> chosen.size() == 1;
            case "filter" -> chosen;
            default -> results;
        };
    }
}
