package lvms.operator.cluster.rule;

import java.util.function.Function;

/**
 * What a change of one field means. Each field of a schema has a rule in the list of its kind, even
 * one that may change at will; a test compares the lists with the schemas.
 *
 * @param field name of the field in the spec
 * @param judge finds what is wrong with a change of the field
 */
record FieldRule<T>(String field, Judge<T> judge) {
    /** Compares a value before and after a change; {@code prefix} says in messages where it is. */
    @FunctionalInterface
    interface Judge<T> {
        void judge(String prefix, T before, T after, Findings findings);
    }

    /** A field that may change at will. */
    static <T> FieldRule<T> free(String field) {
        return new FieldRule<>(field, (_, _, _, _) -> {});
    }

    /** A field whose effective value must stay; {@code refusal} follows its name in the message. */
    static <T> FieldRule<T> fixed(String field, String refusal, Function<T, ?> value) {
        return new FieldRule<>(
                field,
                (prefix, before, after, findings) ->
                        findings.errorIf(
                                !value.apply(before).equals(value.apply(after)),
                                prefix + field + refusal));
    }
}
