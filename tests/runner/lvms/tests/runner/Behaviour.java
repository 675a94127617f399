package lvms.tests.runner;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test that shows a numbered behaviour of {@code lvms.k8s}. The table at the end of docs/k8s.md
 * names these tests.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Behaviour {
    /** Numbers of the behaviours. */
    int[] value();
}
