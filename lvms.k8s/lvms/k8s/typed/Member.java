package lvms.k8s.typed;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The name of a component's field, where Java cannot have it: {@code default} or {@code class}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Member {
    /** Name of the member in JSON. */
    String value();
}
