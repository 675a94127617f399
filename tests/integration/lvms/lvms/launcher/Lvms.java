package lvms.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A command as a process of its own, one at a time.
 *
 * @param folder for what the command says
 * @param kubeconfig names the cluster
 */
record Lvms(Path folder, Path kubeconfig) {
    /** What a command that has ended said, and its exit code. */
    record Said(int code, String out, String err) {}

    Said run(String... words) throws IOException, InterruptedException {
        return end(begin(words));
    }

    Said end(Process process) throws IOException, InterruptedException {
        int code = process.waitFor();
        return new Said(
                code,
                Files.readString(folder.resolve("out")),
                Files.readString(folder.resolve("err")));
    }

    Process begin(String... words) throws IOException {
        var line = new ArrayList<String>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(Program.SHORT_LIVED);
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        line.addAll(List.of(words));
        line.add("--kubeconfig=" + kubeconfig);
        return new ProcessBuilder(line)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }
}
