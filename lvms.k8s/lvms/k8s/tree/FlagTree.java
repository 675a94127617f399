package lvms.k8s.tree;

import java.util.Optional;

/**
 * True or false.
 *
 * @param value which
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
