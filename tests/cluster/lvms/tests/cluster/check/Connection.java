package lvms.tests.cluster.check;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A TCP connection of a pod that is open, or was closed less than a minute ago.
 *
 * @param pod the pod's {@code app.kubernetes.io/name}
 * @param incoming whether the pod listens
 * @param peer address of the other side
 * @param port where it was connected to: the pod's port, or the peer's
 */
public record Connection(String pod, boolean incoming, String peer, int port) {
    private static final String LISTENS = "0A";
    private static final String MAPPED = "0000000000000000FFFF0000";
    private static final int WORD = 8; // hexadecimal digits of 32 bits, in the machine's order

    /**
     * Parses {@code /proc/PID/net/tcp} and {@code tcp6} (proc_net_tcp in the kernel's documents).
     */
    public static List<Connection> of(String pod, List<String> lines) {
        var rows =
                lines.stream()
                        .map(line -> line.strip().split("\\s+"))
                        .filter(words -> words.length > 3 && words[0].endsWith(":"))
                        .toList();
        var listening =
                rows.stream()
                        .filter(words -> words[3].equals(LISTENS))
                        .map(words -> port(words[1]))
                        .collect(Collectors.toSet());
        var found = new ArrayList<Connection>();
        for (var words : rows) {
            var peer = address(words[2]);
            if (!words[3].equals(LISTENS) && !peer.isLoopbackAddress()) {
                boolean incoming = listening.contains(port(words[1]));
                int port = port(incoming ? words[1] : words[2]);
                found.add(new Connection(pod, incoming, peer.getHostAddress(), port));
            }
        }
        return found;
    }

    private static int port(String endpoint) {
        return HexFormat.fromHexDigits(endpoint.substring(endpoint.indexOf(':') + 1));
    }

    private static InetAddress address(String endpoint) {
        var hex = endpoint.substring(0, endpoint.indexOf(':'));
        var digits = hex.startsWith(MAPPED) ? hex.substring(MAPPED.length()) : hex;
        var bytes = new byte[digits.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            int place = i / 4 * WORD + (3 - i % 4) * 2;
            bytes[i] = (byte) HexFormat.fromHexDigits(digits, place, place + 2);
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no address: " + endpoint, e);
        }
    }

    @Override
    public String toString() {
        return incoming
                ? pod + ": port " + port + " from " + peer
                : pod + ": to " + peer + " port " + port;
    }
}
