package lvms.jlink;

import jdk.tools.jlink.plugin.Plugin;
import jdk.tools.jlink.plugin.ResourcePool;
import jdk.tools.jlink.plugin.ResourcePoolBuilder;
import jdk.tools.jlink.plugin.ResourcePoolEntry;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LocalVariableType;

/**
 * Removes the names and types of local variables from all classes: debuggers alone read them. Lines
 * stay, since traces have them; jlink's own {@code --strip-java-debug-attributes} takes both.
 */
public final class LocalNames implements Plugin {
    private static final ClassTransform WITHOUT =
            ClassTransform.transformingMethodBodies(
                    (code, element) -> {
                        if (!isName(element)) {
                            code.with(element);
                        }
                    });

    @Override
    public String getName() {
        return "strip-local-names";
    }

    @Override
    public String getDescription() {
        return "Removes the names and types of local variables";
    }

    @Override
    public String getUsage() {
        return "  --" + getName() + "      " + getDescription();
    }

    @Override
    public ResourcePool transform(ResourcePool in, ResourcePoolBuilder out) {
        in.transformAndCopy(LocalNames::without, out);
        return out.build();
    }

    private static ResourcePoolEntry without(ResourcePoolEntry entry) {
        return entry.type() == ResourcePoolEntry.Type.CLASS_OR_RESOURCE
                        && entry.path().endsWith(".class")
                        && !entry.path().endsWith("/module-info.class")
                ? entry.copyWithContent(without(entry.contentBytes()))
                : entry;
    }

    private static byte[] without(byte[] bytes) {
        var classes = ClassFile.of();
        return classes.transformClass(classes.parse(bytes), WITHOUT);
    }

    private static boolean isName(CodeElement element) {
        return element instanceof LocalVariable || element instanceof LocalVariableType;
    }
}
