package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.KubeClient;
import lvms.k8s.client.LogOptions;
import lvms.k8s.exec.PodExec;
import lvms.k8s.exec.PodFiles;
import lvms.k8s.exec.PodSession;
import lvms.k8s.exec.PortForward;
import lvms.k8s.exec.TerminalSize;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * A real kubelet gives the streams of a pod that kubectl has from it. One pod serves for all, since
 * most of the time is its start and its end.
 */
@Timeout(180)
@FullOnly("the unit tests of streams have the same protocol")
class PodStreamTests extends InACluster {
    private static final String NAME = "streams";
    private static final String MAIN = "main";
    private static final String TERMINAL = "terminal";
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int HTTP = 8080;
    private static final int NOBODY = 9;
    private static final int CONNECTIONS = 8;

    private static final String SPEC =
            """
            spec:
              terminationGracePeriodSeconds: 1
              enableServiceLinks: false
              containers:
              - name: main
                image: %s
                imagePullPolicy: IfNotPresent
                command:
                - sh
                - -euc
                - |
                  mkdir /www
                  echo hello > /www/index.html
                  httpd -p 8080 -h /www
                  i=0
                  while true; do
                    echo "line $i"
                    i=$((i + 1))
                    sleep 1
                  done
              - name: terminal
                image: %s
                imagePullPolicy: IfNotPresent
                stdin: true
                tty: true
                command: [sh]
            """
                    .formatted(Pod.IMAGE, Pod.IMAGE);

    @TempDir private Path folder;

    @Test
    void aPodHasTheStreamsThatKubectlHas() throws Exception {
        box().create(Types.POD, NAME, SPEC);
        box().awaitReady(NAME);
        assertAll(
                this::aCommandReadsWritesAndEndsWithItsCode,
                this::aTerminalKnowsItsSize,
                this::theProcessOfAContainerIsJoined,
                this::theTerminalOfAContainerIsJoined,
                this::aLogIsFollowed,
                this::aFolderGoesThereAndBack,
                this::portsAreForwarded);
        assertEquals(0, box().restarts(NAME), "no process was ended by who joined it");
    }

    private static KubeClient kube() {
        return product().kube();
    }

    private ObjectKey pod() throws Exception {
        return ObjectKey.of(box().namespace(), NAME);
    }

    private void aCommandReadsWritesAndEndsWithItsCode() throws Exception {
        var input = random(3_000_001);
        var command = List.of("sh", "-c", "sha256sum; echo 'a  word' >&2; exit 7");
        try (var session = PodSession.exec(kube(), pod(), MAIN, command, true)) {
            session.stdin().write(input);
            session.stdin().close();
            assertEquals(checksum(input) + "  -\n", text(session.stdout()));
            assertEquals("a  word\n", text(session.stderr()));
            assertEquals(7, session.exitCode(LIMIT));
        }
    }

    /** What is typed is echoed, so the words that are waited for are not typed in one piece. */
    private void aTerminalKnowsItsSize() throws Exception {
        var size = new TerminalSize(100, 40);
        try (var session = PodSession.terminal(kube(), pod(), MAIN, List.of("sh"), size)) {
            type(session, awaitSize("40 100") + "; echo be''gun");
            awaitText(session, "begun");
            session.resize(new TerminalSize(132, 50));
            type(session, awaitSize("50 132") + "; echo res''ized");
            awaitText(session, "resized");
            type(session, "exit 3");
            text(session.stdout());
            assertEquals(3, session.exitCode(LIMIT));
        }
    }

    private static String awaitSize(String size) {
        return "until [ \"$(stty size)\" = '" + size + "' ]; do sleep 0.1; done";
    }

    private static void type(PodSession session, String line) throws IOException {
        session.stdin().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private void theProcessOfAContainerIsJoined() throws Exception {
        try (var session = PodSession.attach(kube(), pod(), MAIN, false)) {
            awaitText(session, "line ");
        }
    }

    private void theTerminalOfAContainerIsJoined() throws Exception {
        var size = new TerminalSize(90, 30);
        try (var session = PodSession.attachTerminal(kube(), pod(), TERMINAL, size)) {
            type(session, awaitSize("30 90") + "; echo jo''ined");
            awaitText(session, "joined");
        }
    }

    private static void awaitText(PodSession session, String text) throws Exception {
        within(
                () -> {
                    var read = new StringBuilder();
                    while (read.indexOf(text) < 0) {
                        int next = session.stdout().read();
                        assertTrue(next >= 0, () -> "it ended without '" + text + "': " + read);
                        read.append((char) next);
                    }
                    return read;
                });
    }

    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T within(Reading<T> reading) throws Exception {
        var task = new FutureTask<>(reading::read);
        Thread.ofVirtual().start(task);
        return task.get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static String text(InputStream stream) throws Exception {
        byte[] all = within(stream::readAllBytes);
        return new String(all, StandardCharsets.UTF_8);
    }

    private void aLogIsFollowed() throws Exception {
        var options = LogOptions.of(MAIN).following().tail(1);
        try (var log = kube().openLog(pod(), options);
                var lines = new BufferedReader(new InputStreamReader(log))) {
            int first = number(within(lines::readLine));
            assertEquals(first + 1, number(within(lines::readLine)), "it is written meanwhile");
        }
    }

    private static int number(String line) {
        assertTrue(line.matches("line [0-9]+"), line);
        return Integer.parseInt(line.substring("line ".length()));
    }

    private void aFolderGoesThereAndBack() throws Exception {
        var from = folder.resolve("from");
        file(from.resolve("a file"), 5, "rw-------");
        file(from.resolve("bin/run"), 700, "rwxr-xr-x");
        file(from.resolve("deep/" + "d".repeat(120) + "/" + "f".repeat(120)), 0, "rw-rw-rw-");
        file(from.resolve("large"), 9_000_001, "r--r--r--");
        Files.createDirectory(from.resolve("empty"));
        Files.createSymbolicLink(from.resolve("bin/link"), Path.of("../a file"));
        var files = new PodFiles(kube(), LIMIT);
        files.writeFolder(pod(), MAIN, from, "/data/in the pod");
        var exec = new PodExec(kube(), LIMIT, 1 << 16);
        var script = "cd '/data/in the pod' && find . -type f -exec sha256sum {} +";
        var sums = exec.run(pod(), MAIN, List.of("sh", "-c", script));
        assertEquals(0, sums.exitCode(), sums::stderrText);
        assertEquals(checksums(from), checksums(sums.stdoutText()));
        var back = folder.resolve("back");
        files.readFolder(pod(), MAIN, "/data/in the pod", back);
        assertEquals(content(from), content(back));
    }

    private static void file(Path path, int bytes, String mode) throws IOException {
        Files.createDirectories(path.getParent());
        Files.write(path, random(bytes));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static byte[] random(int bytes) {
        var content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return content;
    }

    private static String checksum(byte[] content) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    }

    private static TreeMap<String, String> checksums(Path root) throws Exception {
        var sums = new TreeMap<String, String>();
        try (var walk = Files.walk(root)) {
            for (var path : walk.filter(PodStreamTests::isFile).toList()) {
                sums.put("./" + root.relativize(path), checksum(Files.readAllBytes(path)));
            }
        }
        return sums;
    }

    private static boolean isFile(Path path) {
        return Files.isRegularFile(path) && !Files.isSymbolicLink(path);
    }

    /** As sha256sum prints them. */
    private static TreeMap<String, String> checksums(String printed) {
        var sums = new TreeMap<String, String>();
        for (var line : printed.lines().toList()) {
            var words = line.split("  ", 2);
            sums.put(words[1], words[0]);
        }
        return sums;
    }

    /** Every name below a folder with its permissions, checksum or target. */
    private static TreeMap<String, String> content(Path root) throws Exception {
        var content = new TreeMap<String, String>(checksums(root));
        try (var walk = Files.walk(root)) {
            for (var path : walk.filter(path -> !path.equals(root)).toList()) {
                var what =
                        Files.isSymbolicLink(path)
                                ? "to " + Files.readSymbolicLink(path)
                                : PosixFilePermissions.toString(
                                        Files.getPosixFilePermissions(path));
                content.put(root.relativize(path).toString(), what);
            }
        }
        return content;
    }

    private void portsAreForwarded() throws Exception {
        var ports = Map.of(HTTP, 0, NOBODY, 0);
        try (var forward = PortForward.open(kube(), pod(), ports)) {
            var connections = new ArrayList<Socket>();
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(connect(forward.localPort(HTTP)));
            }
            for (var connection : connections.reversed()) {
                try (connection) {
                    assertEquals("hello", page(connection));
                }
            }
            try (var refused = connect(forward.localPort(NOBODY))) {
                int read = within(() -> refused.getInputStream().read());
                assertEquals(-1, read);
            }
            var problem = forward.problem(NOBODY).orElse("");
            assertTrue(problem.contains("refused"), problem);
        }
    }

    private static Socket connect(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private static String page(Socket connection) throws Exception {
        var request = "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        connection.getOutputStream().write(request);
        var lines = text(connection.getInputStream()).lines().toList();
        assertTrue(lines.getFirst().contains("200"), lines::toString);
        return lines.getLast();
    }
}
