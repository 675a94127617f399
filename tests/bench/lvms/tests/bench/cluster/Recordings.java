package lvms.tests.bench.cluster;

import lvms.tests.cluster.ClusterNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/**
 * Recordings of operator and node agent on a node by the JDK Flight Recorder. The node's root is
 * this machine's, so its tools are there. Workers let nobody attach to them.
 */
record Recordings(ClusterNode node) {
    private static final Duration DEADLINE = Duration.ofMinutes(1);
    private static final Path FOLDER = Path.of("out/bench/burst").toAbsolutePath();
    private static final String JCMD = System.getProperty("java.home") + "/bin/jcmd";
    private static final List<String> KINDS = List.of("operator", "node agent");

    void start() throws IOException {
        each("JFR.start name=burst settings=profile");
    }

    /** Ends them and fetches them; of an operator there may be two, one of which waits. */
    void stop(String what) throws IOException {
        each("JFR.stop name=burst filename=/tmp/burst.jfr");
        Files.createDirectories(FOLDER);
        for (var kind : KINDS) {
            for (var pid : run(pids(kind)).lines().toList()) {
                var text = run("base64 /proc/" + pid + "/root/tmp/burst.jfr");
                var file = FOLDER.resolve(what + "-" + kind.replace(' ', '-') + "-" + pid + ".jfr");
                Files.write(file, Base64.getMimeDecoder().decode(text));
                System.out.println("recording: " + file);
            }
        }
    }

    private void each(String command) throws IOException {
        for (var kind : KINDS) {
            run("for pid in $(" + pids(kind) + "); do " + JCMD + " $pid " + command + "; done");
        }
    }

    private static String pids(String kind) {
        return "pgrep -f '^/opt/lvms/bin/java.*" + Processes.KINDS.get(kind) + "'";
    }

    private String run(String script) throws IOException {
        return node.run(List.of("sh", "-c", script), DEADLINE).require(script);
    }
}
