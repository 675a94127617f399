package lvms.k8s.exec;

import lvms.k8s.websocket.SocketServer;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A pod whose commands run on this machine, for real. */
final class LocalPod implements SocketServer.Script {
    private static final int CLOSE = 255;

    @Override
    public void play(SocketServer.Conversation with) throws Exception {
        with.accept("v5.channel.k8s.io");
        var process = new ProcessBuilder(command(with.head().getFirst())).start();
        try {
            var input = Thread.ofVirtual().start(() -> feed(with, process));
            var error = Thread.ofVirtual().start(() -> say(with, 2, process.getErrorStream()));
            say(with, 1, process.getInputStream());
            error.join();
            int code = process.waitFor();
            with.say(3, code == 0 ? "{\"status\":\"Success\"}" : PodStreamsTests.failed(code));
            input.join();
        } finally {
            process.destroyForcibly();
        }
    }

    static List<String> command(String line) {
        var words = new ArrayList<String>();
        for (var part : line.split(" ")[1].replaceFirst(".*\\?", "").split("&")) {
            if (part.startsWith("command=")) {
                words.add(URLDecoder.decode(part.substring(8), StandardCharsets.UTF_8));
            }
        }
        return words;
    }

    private static void feed(SocketServer.Conversation with, Process process) {
        var stdin = process.getOutputStream();
        try {
            while (true) {
                var heard = with.hear().payload();
                if (heard.length == 2 && (heard[0] & 0xff) == CLOSE) {
                    stdin.close();
                } else if (heard.length > 1 && heard[0] == 0) {
                    stdin.write(heard, 1, heard.length - 1);
                }
            }
        } catch (IOException _) {
            return; // the client has ended the connection, or the command its input
        }
    }

    private static void say(SocketServer.Conversation with, int channel, InputStream from) {
        var buffer = new byte[32 << 10];
        try {
            for (int size = from.read(buffer); size >= 0; size = from.read(buffer)) {
                with.say(channel, Arrays.copyOf(buffer, size));
            }
        } catch (IOException _) {
            return; // the client has ended the connection
        }
    }
}
