package lvms.k8s.testkit.cel;

import java.util.List;

/** A parsed expression. */
sealed interface Expr {
    /** A text, number, boolean or null. */
    record Literal(Object value) implements Expr {}

    /** A variable. */
    record Name(String name) implements Expr {}

    /** A field, or a test whether it exists. */
    record Select(Expr operand, String field, boolean test) implements Expr {}

    /** A member of a list or map by index. */
    record Index(Expr operand, Expr index) implements Expr {}

    /** An operator or function; the target of a method is its first argument. */
    record Call(String function, List<Expr> arguments) implements Expr {}

    record ListOf(List<Expr> members) implements Expr {}

    /** A map; keys and values alternate. */
    record MapOf(List<Expr> entries) implements Expr {}

    /** A macro that binds a variable to each member of a list or key of a map. */
    record Loop(String macro, Expr range, String variable, Expr body) implements Expr {}
}
