package lvms.operator.cluster;

import lvms.operator.unit.Outcome;

import java.util.Optional;

/**
 * What a unit achieved in a pass.
 *
 * @param unit name of the unit
 * @param outcome how it ended, empty if it failed
 * @param failure why it failed, empty if it did not
 */
public record UnitResult(String unit, Optional<Outcome> outcome, String failure) {
    static UnitResult ended(String unit, Outcome outcome) {
        return new UnitResult(unit, Optional.of(outcome), "");
    }

    static UnitResult failed(String unit, Throwable failure) {
        var text = failure.getMessage();
        return new UnitResult(
                unit, Optional.empty(), text == null ? failure.getClass().getName() : text);
    }

    public boolean failed() {
        return outcome.isEmpty();
    }

    /** Returns whether waiting is not enough. */
    boolean needsHelp() {
        return outcome.filter(o -> !(o instanceof Outcome.Rejected)).isEmpty();
    }

    /** Returns why the unit is not done, empty if it is. */
    public Optional<String> problem() {
        if (failed()) {
            return Optional.of(unit + ": " + failure);
        }
        return switch (outcome.get()) {
            case Outcome.Converged() -> Optional.empty();
            case Outcome.Pending(var reason, _) -> Optional.of(unit + ": " + reason);
            case Outcome.Rejected(var reason) -> Optional.of(unit + ": " + reason);
        };
    }
}
