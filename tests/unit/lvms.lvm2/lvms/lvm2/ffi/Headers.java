package lvms.lvm2.ffi;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.system.Program;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the headers of C say, asked by assertions that a compiler checks: so nothing has to run, and
 * a compiler for another architecture tells of that one.
 *
 * @param compiler its name on the PATH, such as {@code aarch64-linux-gnu-gcc}
 */
record Headers(String compiler) {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    /** The compiler of this machine, and those of the architectures that we have images for. */
    static Stream<String> compilers() {
        var others = Stream.of("x86_64-linux-gnu-gcc", "aarch64-linux-gnu-gcc");
        return Stream.concat(Stream.of("gcc"), others.filter(Headers::isThere));
    }

    static boolean isThere(String compiler) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, compiler)));
    }

    /**
     * Checks expressions.
     *
     * @param expected by expression of C
     */
    void agree(List<String> includes, Map<String, Long> expected) throws Exception {
        assumeTrue(isThere(compiler), "there is no " + compiler + " here");
        var source = new StringBuilder("#define _GNU_SOURCE\n#include <stddef.h>\n");
        source.append("#include <stdint.h>\n#include <sys/types.h>\n");
        includes.forEach(header -> source.append("#include <").append(header).append(">\n"));
        expected.forEach(
                (expression, value) ->
                        source.append(
                                "_Static_assert((long)(%1$s) == %2$dL, \"%1$s is not %2$d\");\n"
                                        .formatted(expression, value)));
        var file = Files.createTempFile("headers", ".c");
        try {
            Files.writeString(file, source);
            var said = Program.of(DEADLINE, compiler, "-fsyntax-only", file.toString()).run();
            assertTrue(said.succeeded(), said.stderr());
        } finally {
            Files.delete(file);
        }
    }
}
