package lvms.api;

import java.util.Optional;

/** A constant with its own text in JSON. */
interface WireText {
    /** Returns the text in JSON. */
    String text();

    /** Returns the constant with this text, empty for a text that no constant has. */
    static <E extends Enum<E> & WireText> Optional<E> find(Class<E> type, String text) {
        for (var constant : type.getEnumConstants()) {
            if (constant.text().equals(text)) {
                return Optional.of(constant);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the constant with this text.
     *
     * @throws IllegalArgumentException if no constant has this text
     */
    static <E extends Enum<E> & WireText> E of(Class<E> type, String text) {
        return find(type, text)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        type.getSimpleName() + ": unknown value \"" + text + "\""));
    }
}
