package lvms.tests.runner;

import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test of what Linux alone has: its C library, {@code /proc}, its devices. */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs Linux: its C library, /proc, or its devices")
public @interface LinuxOnly {}
