package lvms.operator.cluster.rule;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects errors and warnings in order, each text once. */
final class Findings {
    private final Set<String> errors = new LinkedHashSet<>();
    private final Set<String> warnings = new LinkedHashSet<>();

    void error(String text) {
        errors.add(text);
    }

    void errorIf(boolean broken, String text) {
        if (broken) {
            errors.add(text);
        }
    }

    void warning(String text) {
        warnings.add(text);
    }

    void warningIf(boolean doubtful, String text) {
        if (doubtful) {
            warnings.add(text);
        }
    }

    Verdict verdict() {
        return new Verdict(List.copyOf(errors), List.copyOf(warnings));
    }
}
