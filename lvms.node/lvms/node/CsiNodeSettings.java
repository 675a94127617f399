package lvms.node;

import lvms.api.Driver;
import lvms.api.nativestor.RawDevice;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Where the CSI node service of one driver serves, and under which name.
 *
 * @param driver the driver; each has its own socket and its own registration with kubelet
 * @param nodeName name of this node's Node object
 * @param version version of this product, for GetPluginInfo
 * @param socket path of the CSI socket in this container; the socket owns its folder
 * @param hostSocket path of the same socket as kubelet sees it
 * @param registrationFolder kubelet's plugins_registry folder in this container; empty if somebody
 *     else registers the driver, and so uses the socket's folder too
 * @param kubeletFolder kubelet's root folder, the same path inside and outside
 */
record CsiNodeSettings(
        Driver driver,
        String nodeName,
        String version,
        Path socket,
        Path hostSocket,
        Optional<Path> registrationFolder,
        Path kubeletFolder) {
    /** As TopoLVM has it below the folder of a driver. */
    private static final String SOCKET = "node/csi-topolvm.sock";

    /** As NativeStor has it there. */
    private static final String RAW_DEVICE_SOCKET = "node/csi-rawdevice.sock";

    private static final String REGISTRATIONS = "plugins_registry";

    /** Checks that nothing is missing. */
    CsiNodeSettings {
        if (nodeName.isEmpty() || version.isEmpty()) {
            throw new IllegalArgumentException("node name or version is missing");
        }
        Objects.requireNonNull(driver);
        Objects.requireNonNull(socket);
        Objects.requireNonNull(hostSocket);
        Objects.requireNonNull(registrationFolder);
        Objects.requireNonNull(kubeletFolder);
    }

    /** The usual places below a kubelet folder that is mounted at the same path. */
    static CsiNodeSettings below(Path kubelet, Driver driver, String nodeName, String version) {
        return below(kubelet, driver, SOCKET, nodeName, version);
    }

    /** The same for the driver of raw devices. */
    static CsiNodeSettings ofRawDevices(Path kubelet, String nodeName, String version) {
        return below(kubelet, RawDevice.DRIVER, RAW_DEVICE_SOCKET, nodeName, version);
    }

    private static CsiNodeSettings below(
            Path kubelet, Driver driver, String place, String nodeName, String version) {
        var socket = kubelet.resolve("plugins").resolve(driver.name()).resolve(place);
        return new CsiNodeSettings(
                driver,
                nodeName,
                version,
                socket,
                socket,
                Optional.of(kubelet.resolve(REGISTRATIONS)),
                kubelet);
    }

    /**
     * A socket that the user chose. If it is where kubelet's plugins are, the folder above is
     * kubelet's.
     *
     * @param registers whether the driver is registered here, not by somebody else
     */
    static CsiNodeSettings at(
            Path socket, boolean registers, Driver driver, String nodeName, String version) {
        var path = socket.toAbsolutePath().normalize();
        var depth = path.getNameCount();
        boolean usual = depth > 4 && path.endsWith(usual(driver, path.getFileName()));
        var kubelet =
                usual
                        ? path.getRoot().resolve(path.subpath(0, depth - 4))
                        : NodeAgentSettings.KUBELET;
        var folder =
                registers ? Optional.of(kubelet.resolve(REGISTRATIONS)) : Optional.<Path>empty();
        return new CsiNodeSettings(driver, nodeName, version, path, path, folder, kubelet);
    }

    /**
     * The door of another driver beside this one: its socket lies in the same folder, and nobody
     * else registers it.
     */
    CsiNodeSettings beside(Driver other) {
        var path = socket.resolveSibling("csi-" + other.name() + ".sock");
        return new CsiNodeSettings(
                other,
                nodeName,
                version,
                path,
                hostSocket.resolveSibling(path.getFileName()),
                Optional.of(kubeletFolder.resolve(REGISTRATIONS)),
                kubeletFolder);
    }

    /** Returns the folder of notes about filesystems; the socket's is one of the host. */
    Path formatNotes() {
        return socket.resolveSibling("formats");
    }

    /** Returns whether nobody else uses the socket's folder. */
    boolean ownsFolder() {
        return registrationFolder.isPresent()
                && (socket.endsWith(SOCKET) || socket.endsWith(RAW_DEVICE_SOCKET));
    }

    private static Path usual(Driver driver, Path name) {
        return Path.of("plugins", driver.name(), "node").resolve(name);
    }
}
