package lvms.operator.cluster.rule;

import java.util.List;
import java.util.stream.Stream;

/**
 * What the rules say about an LVMCluster.
 *
 * @param errors why it cannot be accepted, in the order of the rules
 * @param warnings what its author should know
 */
public record Verdict(List<String> errors, List<String> warnings) {
    public Verdict {
        errors = List.copyOf(errors);
        warnings = List.copyOf(warnings);
    }

    /** Returns the same without the errors that another verdict has too. */
    public Verdict beyond(Verdict other) {
        return new Verdict(
                errors.stream().filter(error -> !other.errors.contains(error)).toList(), warnings);
    }

    /** Returns what this and another verdict say. */
    public Verdict and(Verdict other) {
        return new Verdict(
                Stream.concat(errors.stream(), other.errors.stream()).toList(),
                Stream.concat(warnings.stream(), other.warnings.stream()).toList());
    }

    /** Returns whether there are no errors. */
    public boolean accepted() {
        return errors.isEmpty();
    }
}
