package lvms.tests.server;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test of what only a real API server has, such as its processes, with the reason. */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RealAlone.Condition.class)
public @interface RealAlone {
    /** Why it is left out where the server in memory answers. */
    String value();

    /** Skips the test where the server in memory answers. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (!Servers.ours()) {
                return ConditionEvaluationResult.enabled("a real server");
            }
            return AnnotationSupport.findAnnotation(context.getElement(), RealAlone.class)
                    .map(it -> ConditionEvaluationResult.disabled(it.value()))
                    .orElse(ConditionEvaluationResult.enabled("any server"));
        }
    }
}
