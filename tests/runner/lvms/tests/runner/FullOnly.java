package lvms.tests.runner;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test that runs with {@code --full} alone, with the reason why no CI run needs it: which other
 * test would fail for the same cause, or what it takes.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(FullOnly.Condition.class)
public @interface FullOnly {
    /** Why it is left to the long run. */
    String value();

    /** Skips the test in a run without {@code --full}. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (Boolean.getBoolean("lvms.full")) {
                return ConditionEvaluationResult.enabled("--full");
            }
            return AnnotationSupport.findAnnotation(context.getElement(), FullOnly.class)
                    .map(
                            it ->
                                    ConditionEvaluationResult.disabled(
                                            "only with --full: " + it.value()))
                    .orElse(ConditionEvaluationResult.enabled("any run"));
        }
    }
}
