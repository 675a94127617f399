package lvms.node;

import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.LvmdConfig;
import lvms.node.deviceclass.LvmdConfigFile;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.volume.VolumeLayout;
import lvms.node.volume.VolumeRefused;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A whole lvmd.yaml, checked: a stand-alone lvmd serves all of it or nothing.
 *
 * @param socket where it serves
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
     * Reads and checks the file.
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

    private static LvmdSettings of(LvmdConfig config) {
        var reading = config.read();
        var problems = new ArrayList<>(reading.problems());
        reading.classes().classes().forEach(c -> check(c, reading.classes(), problems));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        if (reading.classes().classes().isEmpty()) {
            throw new IllegalArgumentException(
                    "device-classes is empty: at least one class is needed");
        }
        var socket = Path.of(config.socketName().orElse(SOCKET.toString()));
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (!socket.isAbsolute() || length > MAX_SOCKET_BYTES) {
            throw new IllegalArgumentException(
                    "socket-name must be an absolute path of at most 107 bytes, not " + socket);
        }
        return new LvmdSettings(
                socket, config.commandPrefix(), reading.classes(), remarks(config, reading));
    }

    /** Refuses now what LVM would refuse when the first volume is made. */
    private static void check(
            NodeDeviceClass deviceClass, DeviceClasses classes, List<String> problems) {
        try {
            VolumeLayout.of("", deviceClass, classes);
        } catch (IllegalArgumentException | VolumeRefused e) {
            problems.add("device class \"" + deviceClass.name() + "\": " + e.getMessage());
        }
    }

    /** TopoLVM does not check option classes, so one that cannot work only gets a remark. */
    private static List<String> remarks(LvmdConfig config, LvmdConfig.Reading reading) {
        var remarks = new ArrayList<String>();
        config.unknownKeys().forEach(key -> remarks.add("unknown key " + key));
        var any = reading.classes().classes().getFirst();
        for (var name : reading.classes().lvcreateOptionClasses().keySet()) {
            try {
                VolumeLayout.of(name, any, reading.classes());
            } catch (IllegalArgumentException | VolumeRefused e) {
                remarks.add("lvcreate option class \"" + name + "\": " + e.getMessage());
            }
        }
        return remarks;
    }

    /** Returns whether one server can serve both: they may differ only in their device classes. */
    public boolean servedLike(LvmdSettings other) {
        return socket.equals(other.socket) && commandPrefix.equals(other.commandPrefix);
    }
}
