package lvms.tests.lab.tool;

import static java.nio.charset.StandardCharsets.UTF_8;

import lvms.tests.lab.machine.CommandResult;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Requests of a few words and their answers, over a Unix socket. The path is taken relative to the
 * repository, since a socket's path may have 107 bytes at most.
 */
public record ControlSocket(Path path) {
    /** Answers requests, one thread each, until the process ends. */
    public void serve(Function<List<String>, CommandResult> handler) throws IOException {
        Files.deleteIfExists(path);
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        while (true) {
            var client = server.accept();
            Thread.startVirtualThread(() -> answer(client, handler));
        }
    }

    private static void answer(
            SocketChannel client, Function<List<String>, CommandResult> handler) {
        try (client) {
            var in = new DataInputStream(Channels.newInputStream(client));
            var words = new ArrayList<String>();
            for (int i = in.readInt(); i > 0; i--) {
                words.add(read(in));
            }
            var result = handler.apply(words);
            var out = new DataOutputStream(Channels.newOutputStream(client));
            out.writeInt(result.status());
            write(out, result.out());
            write(out, result.err());
        } catch (IOException e) {
            System.getLogger("lab").log(System.Logger.Level.INFO, "a client went away", e);
        }
    }

    /** Sends a request and waits for its answer. */
    public CommandResult ask(List<String> words) throws IOException {
        try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            var out = new DataOutputStream(Channels.newOutputStream(channel));
            out.writeInt(words.size());
            for (var word : words) {
                write(out, word);
            }
            var in = new DataInputStream(Channels.newInputStream(channel));
            int status = in.readInt();
            var text = read(in);
            return new CommandResult(status, text, read(in));
        }
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        var bytes = text.getBytes(UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String read(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), UTF_8);
    }
}
