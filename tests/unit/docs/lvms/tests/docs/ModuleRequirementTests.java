package lvms.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The first words of docs/k8s.md name all that the module requires. */
class ModuleRequirementTests {
    private static final Pattern MODULE = Pattern.compile("`([a-z.]+)`");

    @Test
    void thePageNamesEachModuleThatIsRequired() throws Exception {
        var page = Files.readString(Path.of("docs/k8s.md"));
        var start = page.substring(0, page.indexOf("\n## "));
        var named =
                MODULE.matcher(start)
                        .results()
                        .map(found -> found.group(1))
                        .collect(Collectors.toSet());
        var required =
                ModuleFinder.of(Path.of("out/classes/lvms.k8s"))
                        .find("lvms.k8s")
                        .orElseThrow()
                        .descriptor()
                        .requires()
                        .stream()
                        .filter(one -> !one.modifiers().contains(Requires.Modifier.MANDATED))
                        .map(Requires::name)
                        .collect(Collectors.toSet());
        assertEquals(required, named);
    }
}
