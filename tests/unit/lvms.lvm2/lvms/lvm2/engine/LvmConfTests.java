package lvms.lvm2.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Settings reach LVM whole: as a file of ours, or as one quotable word of a command. */
class LvmConfTests {
    @Test
    void theWordForACommandCanBeQuoted() {
        var word = LvmConf.perCommand(List.of(LvmConf.filter(List.of(Path.of("/dev/sdb")))));
        assertFalse(word.contains("'"), word);
        assertFalse(word.contains("\n"), word);
        assertTrue(word.endsWith("devices/filter=[\"a|^/dev/sdb$|\",\"r|.*|\"]"), word);
    }

    @Test
    void aFilterTakesDotsAndPlusLiterally() {
        assertEquals(
                "devices/filter=[\"a|^/dev/mapper/a[.]b[+]c$|\",\"r|.*|\"]",
                LvmConf.filter(List.of(Path.of("/dev/mapper/a.b+c"))));
    }

    @Test
    void theFileIsWrittenOnceAndMendedWhenItDiffers(@TempDir Path folder) throws Exception {
        LvmConf.write(folder, true, true);
        var file = folder.resolve("lvm.conf");
        var text = Files.readString(file);
        assertTrue(text.contains("activation/udev_sync=1\n"), text);
        assertTrue(text.contains("backup/backup_dir=\"" + folder + "/backup\"\n"), text);
        var written = Files.getLastModifiedTime(file);
        LvmConf.write(folder, true, true);
        assertEquals(written, Files.getLastModifiedTime(file));
        Files.writeString(file, "global/use_aio=1\n");
        LvmConf.write(folder, true, true);
        assertEquals(text, Files.readString(file));
    }
}
