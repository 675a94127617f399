package lvms.operator.cluster.rule;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects errors and warnings in order, each text once. */
public final class Findings {
    private final Set<String> errors = new LinkedHashSet<>();
    private final Set<String> warnings = new LinkedHashSet<>();

    public void error(String text) {
        errors.add(text);
    }

    public void errorIf(boolean broken, String text) {
        if (broken) {
            errors.add(text);
        }
    }

    public void warning(String text) {
        warnings.add(text);
    }

    public void warningIf(boolean doubtful, String text) {
        if (doubtful) {
            warnings.add(text);
        }
    }

    public Verdict verdict() {
        return new Verdict(List.copyOf(errors), List.copyOf(warnings));
    }
}
