package lvms.k8s.tree;

import java.util.Objects;
import java.util.Optional;

/**
 * A text.
 *
 * @param value the characters
 */
public record TextTree(String value) implements Tree {
    /** Refuses null, which is {@link Tree#NULL}. */
    public TextTree {
        Objects.requireNonNull(value);
    }

    @Override
    public Optional<String> text() {
        return Optional.of(value);
    }

    @Override
    public boolean isScalar() {
        return true;
    }

    @Override
    public String asText() {
        return value;
    }

    /** Returns JSON text, in quotes. */
    @Override
    public String toString() {
        return Json.write(this);
    }
}
