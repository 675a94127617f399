package lvms.tests.page;

import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A class that runs each block of these pages that names it; one that it leaves out fails it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(AllBlocksRan.class)
public @interface RunsBlocks {
    /** The pages, from the root of the repository. */
    String[] value();
}
