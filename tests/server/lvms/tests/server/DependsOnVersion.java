package lvms.tests.server;

import org.junit.jupiter.api.Tag;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Tests whose result depends on the version of Kubernetes, with the reason. They also run against
 * the oldest version that is supported ({@code --apiserver VERSION --marked}); the others do so
 * with {@code --full} alone.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Tag("version")
public @interface DependsOnVersion {
    /** What differs between the versions. */
    String value();
}
