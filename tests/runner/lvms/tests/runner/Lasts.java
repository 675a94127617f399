package lvms.tests.runner;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * About how long a class of tests runs. Of classes that run side by side the longest begin, since a
 * long one that begins last would run alone; lanes and the pieces of a long run are made even by
 * it. Needed where it is ten seconds or more.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Lasts {
    /** Seconds on an otherwise idle machine. */
    int seconds();

    /** Seconds with {@code --full}; 0: the same. */
    int full() default 0;
}
