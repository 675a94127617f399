package lvms.tests.server;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
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
 * A test that a real API server cannot take, or adds nothing to, with the reason. It meets the
 * server in memory while the others meet a real one, unless a version was asked for by name: there
 * it is skipped.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OursAlone.InMemory.class)
public @interface OursAlone {
    /** Why no real server answers. */
    String value();

    /** Gives the test the server in memory, or skips it. */
    final class InMemory
            implements ExecutionCondition,
                    BeforeAllCallback,
                    BeforeEachCallback,
                    AfterEachCallback,
                    AfterAllCallback {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (Servers.ours() || Servers.allTests()) {
                return ConditionEvaluationResult.enabled("our server");
            }
            return AnnotationSupport.findAnnotation(context.getElement(), OursAlone.class)
                    .map(it -> ConditionEvaluationResult.disabled(it.value()))
                    .orElse(ConditionEvaluationResult.enabled("any server"));
        }

        @Override
        public void beforeAll(ExtensionContext context) {
            Servers.beginInMemory();
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            Servers.beginInMemory();
        }

        @Override
        public void afterEach(ExtensionContext context) {
            Servers.endInMemory();
        }

        @Override
        public void afterAll(ExtensionContext context) {
            Servers.endInMemory();
        }
    }
}
