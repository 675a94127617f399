package lvms.node;

import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.LvmdConfig;
import lvms.node.deviceclass.LvmdConfigFile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A whole lvmd.yaml, checked: a stand-alone lvmd serves all of it or nothing.
 *
 * @param socket where a stand-alone lvmd serves
 * @param commandPrefix words that run the {@code lvm} program; empty leaves the choice to us
 * @param classes the device classes, at least one
 * @param remarks what is ignored, one line each
 */
public record LvmdSettings(
        Path socket, List<String> commandPrefix, DeviceClasses classes, List<String> remarks) {
    /** Where TopoLVM serves. */
    public static final Path SOCKET = Path.of("/run/topolvm/lvmd.sock");

    /** Longest path of a Unix socket: unix(7). */
    private static final int MAX_SOCKET_BYTES = 107;

    public LvmdSettings {
        commandPrefix = List.copyOf(commandPrefix);
        remarks = List.copyOf(remarks);
    }

    /**
     * Reads and checks the file, apart from its socket. A class of which no new volume can be made
     * does not keep the others, nor its own volumes, from being served: see {@link
     * DeviceClasses#refusals}.
     *
     * @throws LvmdConfigException if it is missing or anything in it is wrong
     */
    public static LvmdSettings read(Path file) throws LvmdConfigException {
        LvmdConfig config;
        try {
            config =
                    new LvmdConfigFile(file)
                            .read()
                            .orElseThrow(
                                    () ->
                                            new LvmdConfigException(
                                                    file
                                                            + " does not exist: write the device"
                                                            + " classes there, or name another file"
                                                            + " with --config",
                                                    null));
        } catch (IOException e) {
            throw new LvmdConfigException(e.getMessage(), e);
        }
        try {
            return of(config);
        } catch (IllegalArgumentException e) {
            throw new LvmdConfigException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads and checks the text of a file.
     *
     * @throws IllegalArgumentException if anything in it is wrong; the message is one line
     */
    public static LvmdSettings parse(String yaml) {
        return of(LvmdConfig.parse(yaml));
    }

    /**
     * Reads and checks the file of an lvmd that serves a socket.
     *
     * @throws LvmdConfigException also if the socket cannot be served
     */
    public static LvmdSettings readServed(Path file) throws LvmdConfigException {
        var settings = read(file);
        var socket = settings.socket();
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (!socket.isAbsolute() || length > MAX_SOCKET_BYTES) {
            throw new LvmdConfigException(
                    file
                            + ": socket-name must be an absolute path of at most 107 bytes, not "
                            + socket,
                    null);
        }
        return settings;
    }

    private static LvmdSettings of(LvmdConfig config) {
        var reading = config.read();
        var problems = reading.problems();
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        if (reading.classes().classes().isEmpty()) {
            throw new IllegalArgumentException(
                    "device-classes is empty: at least one class is needed");
        }
        var socket = Path.of(config.socketName().orElse(SOCKET.toString()));
        return new LvmdSettings(socket, config.commandPrefix(), reading.classes(), remarks(config));
    }

    private static List<String> remarks(LvmdConfig config) {
        return config.unknownKeys().stream().map(key -> "unknown key " + key).toList();
    }

    /** Returns whether one server can serve both: they may differ only in their device classes. */
    public boolean servedLike(LvmdSettings other) {
        return socket.equals(other.socket) && commandPrefix.equals(other.commandPrefix);
    }
}
