package lvms.tests.runner;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test that would fail if a hazard of docs/safety.md were open again. The table at the end of
 * that page names these tests.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Safety {
    /** Numbers of the hazards. */
    int[] value();
}
