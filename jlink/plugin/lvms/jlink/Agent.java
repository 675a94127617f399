package lvms.jlink;

import jdk.tools.jlink.plugin.Plugin;

import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Offers the plugins of this module to the jlink of this JVM. */
public final class Agent {
    private Agent() {}

    /** Called by the JVM before jlink. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        var layer = ModuleLayer.boot();
        var own = layer.findModule("lvms.jlink").orElseThrow();
        var jlink = layer.findModule("jdk.jlink").orElseThrow();
        change(instrumentation, jlink, Map.of("jdk.tools.jlink.plugin", Set.of(own)), Map.of());
        change(instrumentation, own, Map.of(), Map.of(Plugin.class, List.of(LocalNames.class)));
    }

    private static void change(
            Instrumentation instrumentation,
            Module module,
            Map<String, Set<Module>> exports,
            Map<Class<?>, List<Class<?>>> provides) {
        instrumentation.redefineModule(module, Set.of(), exports, Map.of(), Set.of(), provides);
    }
}
