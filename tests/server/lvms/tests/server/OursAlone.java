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

/** A test that a real API server cannot take, or adds nothing to, with the reason. */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OursAlone.Condition.class)
public @interface OursAlone {
    /** Why it is left out where a real server answers. */
    String value();

    /** Skips the test where a real server answers. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (Servers.ours()) {
                return ConditionEvaluationResult.enabled("our server");
            }
            return AnnotationSupport.findAnnotation(context.getElement(), OursAlone.class)
                    .map(it -> ConditionEvaluationResult.disabled(it.value()))
                    .orElse(ConditionEvaluationResult.enabled("any server"));
        }
    }
}
