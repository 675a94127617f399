package lvms.k8s.tree;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A JSON value. Any thread may share it; two are equal if their values are, numbers by their exact
 * value and members of objects in any order.
 */
public sealed interface Tree
        permits ObjectTree, ListTree, TextTree, NumberTree, FlagTree, NullTree {
    /** JSON's null, which also stands for an absent member. */
    Tree NULL = NullTree.INSTANCE;

    static Tree of(String text) {
        return new TextTree(text);
    }

    /** Returns an integer. */
    static Tree of(long number) {
        return new NumberTree(number);
    }

    /** Returns a number with a fraction, as {@link Double#toString} writes it. */
    static Tree of(double number) {
        return new NumberTree(number);
    }

    static Tree of(boolean flag) {
        return flag ? FlagTree.TRUE : FlagTree.FALSE;
    }

    /** Returns the text, empty for every other type. */
    default Optional<String> text() {
        return Optional.empty();
    }

    /** Returns the integer, empty for a fraction, beyond 64 bits, and for every other type. */
    default OptionalLong number() {
        return OptionalLong.empty();
    }

    /** Returns the flag, empty for every other type. */
    default Optional<Boolean> flag() {
        return Optional.empty();
    }

    default boolean isNull() {
        return this == NULL;
    }

    /** Returns whether this is a text, a number or a flag. */
    default boolean isScalar() {
        return false;
    }

    /**
     * Returns the text of a scalar; numbers and flags as JSON writes them.
     *
     * @throws IllegalStateException if it is not a scalar
     */
    default String asText() {
        throw new IllegalStateException("not a scalar: " + this);
    }

    /**
     * Returns this as an object.
     *
     * @throws IllegalStateException if it is not one
     */
    default ObjectTree asObject() {
        throw new IllegalStateException("not an object: " + this);
    }

    /**
     * Returns this as a list.
     *
     * @throws IllegalStateException if it is not one
     */
    default ListTree asList() {
        throw new IllegalStateException("not a list: " + this);
    }
}
