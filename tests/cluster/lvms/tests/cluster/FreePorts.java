package lvms.tests.cluster;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of loopback that nobody uses at this moment, and that the kernel gives to nobody who does
 * not ask for them: a server that is started again finds its own free.
 */
final class FreePorts {
    // Below net.ipv4.ip_local_port_range.
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;

    private FreePorts() {}

    static List<Integer> of(int count) throws IOException {
        var sockets = new ArrayList<ServerSocket>();
        try {
            while (sockets.size() < count) {
                int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
                try {
                    sockets.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
                } catch (BindException e) {
                    continue; // somebody's
                }
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }
}
