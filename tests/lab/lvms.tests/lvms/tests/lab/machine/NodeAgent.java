package lvms.tests.lab.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

/** Client of {@code tests/lab/agent.pl}: one connection for each command. Any thread may use it. */
record NodeAgent(InetAddress address) {
    private static final int PORT = 7;
    private static final int CONNECT_MILLIS = 2_000;

    /** Runs a command to its end; it is killed with its children when the deadline passes. */
    CommandResult run(List<String> command, byte[] input, Duration deadline) throws IOException {
        try (var socket = connect(deadline)) {
            send(socket, 'R', input, command);
            var answer = new DataInputStream(socket.getInputStream());
            int status = answer.readInt();
            var out = readText(answer);
            return new CommandResult(status, out, readText(answer));
        }
    }

    /** Starts a command in the background, with output appended to a file of the node. */
    int start(List<String> command, String logFile) throws IOException {
        try (var socket = connect(Duration.ofSeconds(10))) {
            send(socket, 'S', logFile.getBytes(UTF_8), command);
            return new DataInputStream(socket.getInputStream()).readInt();
        }
    }

    /** Opens a connection that the node joins with one of its Unix sockets. */
    Socket open(String unixSocket) throws IOException {
        var socket = connect(Duration.ofSeconds(10));
        try {
            send(socket, 'U', unixSocket.getBytes(UTF_8), List.of());
            socket.setSoTimeout(0);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private Socket connect(Duration deadline) throws IOException {
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(address, PORT), CONNECT_MILLIS);
            socket.setSoTimeout((int) deadline.toMillis());
            socket.setTcpNoDelay(true);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static void send(Socket socket, char kind, byte[] first, List<String> command)
            throws IOException {
        var bytes = new ByteArrayOutputStream();
        var request = new DataOutputStream(bytes);
        request.writeByte(kind);
        request.writeInt(1 + command.size());
        writeText(request, first);
        for (var word : command) {
            writeText(request, word.getBytes(UTF_8));
        }
        socket.getOutputStream().write(bytes.toByteArray());
    }

    private static void writeText(DataOutputStream stream, byte[] text) throws IOException {
        stream.writeInt(text.length);
        stream.write(text);
    }

    private static String readText(DataInputStream stream) throws IOException {
        return new String(stream.readNBytes(stream.readInt()), UTF_8);
    }
}
