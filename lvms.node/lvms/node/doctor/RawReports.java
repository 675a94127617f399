package lvms.node.doctor;

import lvms.lvm2.LvmOptions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * What LVM and lsblk say about a machine in their own words, for people who know those by heart.
 * Nothing is judged, and what fails is in the file as it failed.
 *
 * @param options how LVM is run
 * @param lvmdConfig where lvmd.yaml is, if there is one
 */
public record RawReports(LvmOptions options, Path lvmdConfig) {
    private static final int OUTPUT_BYTES = 1 << 20;

    private static final List<List<String>> REPORTS =
            List.of(
                    List.of("lvs", "-a"),
                    List.of("lvdisplay"),
                    List.of("vgs"),
                    List.of("vgdisplay"),
                    List.of("pvs"),
                    List.of("pvdisplay"),
                    List.of("version"));

    private static final String LSBLK_COLUMNS =
            "NAME,ROTA,TYPE,SIZE,MODEL,VENDOR,RO,STATE,KNAME,SERIAL,PARTLABEL,FSTYPE";

    /** Returns the content of each file by its name. */
    public SortedMap<String, String> read() throws InterruptedException {
        var files = new TreeMap<String, String>();
        for (var words : REPORTS) {
            var program = HostProgram.lvm(options, words.toArray(String[]::new));
            files.put(String.join("", words) + ".txt", output(program));
        }
        files.put(
                "lsblk.json",
                output(HostProgram.of(options, "lsblk", "--json", "--paths", "-o", LSBLK_COLUMNS)));
        files.put("lvmd.yaml", configuration());
        return files;
    }

    private static String output(HostProgram program) throws InterruptedException {
        try {
            var result = program.run(OUTPUT_BYTES);
            var code = result.succeeded() ? "" : "exit code " + result.status() + "\n";
            return result.stdout() + result.stderr() + code;
        } catch (IOException | TimeoutException e) {
            return e.getMessage() + "\n";
        }
    }

    private String configuration() {
        try {
            return Files.readString(lvmdConfig);
        } catch (NoSuchFileException _) {
            return "# there is no " + lvmdConfig + "\n";
        } catch (IOException e) {
            return "# " + lvmdConfig + " cannot be read: " + e + "\n";
        }
    }
}
