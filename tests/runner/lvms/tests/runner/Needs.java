package lvms.tests.runner;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

import java.io.File;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A test that runs programs which not every machine with the tools of README.md has. Where one of
 * them is missing, the test is skipped with a line that names it.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Needs.Condition.class)
public @interface Needs {
    /** The names of the programs, as they stand in a folder of the {@code PATH}. */
    String[] value();

    /** Skips the test if a program is on none of the folders of the {@code PATH}. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return AnnotationSupport.findAnnotation(context.getElement(), Needs.class)
                    .flatMap(
                            needs ->
                                    Arrays.stream(needs.value())
                                            .filter(Condition::missing)
                                            .findFirst())
                    .map(program -> ConditionEvaluationResult.disabled("needs " + program))
                    .orElse(ConditionEvaluationResult.enabled("all programs are here"));
        }

        private static boolean missing(String program) {
            var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
            return Arrays.stream(path.split(File.pathSeparator))
                    .noneMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        }
    }
}
