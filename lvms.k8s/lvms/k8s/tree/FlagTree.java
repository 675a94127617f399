package lvms.k8s.tree;

import java.util.Optional;

/**
 * A boolean.
 *
 * @param value true or false
 */
public record FlagTree(boolean value) implements Tree {
    static final FlagTree TRUE = new FlagTree(true);
    static final FlagTree FALSE = new FlagTree(false);

    @Override
    public Optional<Boolean> flag() {
        return Optional.of(value);
    }

    @Override
    public boolean isScalar() {
        return true;
    }

    @Override
    public String asText() {
        return Boolean.toString(value);
    }

    @Override
    public String toString() {
        return asText();
    }
}
