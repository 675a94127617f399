package lvms.launcher.lvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.LvmOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A command prefix in lvmd.yaml runs LVM, and nothing else does. */
class CommandPrefixTests {
    @TempDir Path folder;

    private List<String> of(String yaml) throws Exception {
        return CommandPrefix.of(Files.writeString(folder.resolve("lvmd.yaml"), yaml));
    }

    @Test
    void theWordsReplaceTheWholeCommandAndForceTheExecEngine() throws Exception {
        var words = of("lvm-command-prefix: [nsenter, -t, '1', /sbin/lvm]");
        var options = CommandPrefix.apply(LvmOptions.defaults().withHost(1), words);
        assertEquals(List.of("nsenter", "-t", "1", "/sbin/lvm"), options.execCommand());
        assertEquals(LvmOptions.Engine.EXEC, options.engine());
    }

    @Test
    void withoutThemTheChoiceIsOurs() throws Exception {
        var options = LvmOptions.defaults();
        assertEquals(List.of(), CommandPrefix.of(folder.resolve("none.yaml")));
        assertEquals(List.of(), of("lvm-command-prefix: null"));
        assertEquals(List.of(), of("lvm-command-prefix: [broken"));
        assertEquals(List.of(), of("lvm-command-prefix: /sbin/lvm"));
        assertEquals(options, CommandPrefix.apply(options, List.of()));
    }
}
