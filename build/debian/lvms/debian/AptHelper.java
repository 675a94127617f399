package lvms.debian;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The downloader of apt, with its proxies, certificates and credentials. Source: {@code apt-helper
 * download-file}; it needs no root and touches nothing of the installed system.
 *
 * @param program such as {@code /usr/lib/apt/apt-helper}
 */
record AptHelper(Path program) implements Transfer {
    @Override
    public boolean fetch(URI from, Path to) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(
                                program.toString(),
                                "-oAPT::Sandbox::User=",
                                "download-file",
                                from.toString(),
                                to.toString())
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() == 0) {
            return true;
        }
        if (said.contains("404  ") || said.contains("410  ")) {
            return false;
        }
        var lines = said.lines().filter(line -> line.startsWith("E: ")).toList();
        throw new IOException(lines.isEmpty() ? said.strip() : lines.getFirst());
    }
}
