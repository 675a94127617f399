package lvms.node.doctor;

import static java.lang.System.Logger.Level.DEBUG;

import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.deviceclass.LvmdConfig;
import lvms.node.deviceclass.LvmdConfigFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * Reads a machine: reports of LVM, status of the device-mapper, versions of tools.
 *
 * @param lvm LVM, with every device
 * @param options how it is run
 * @param whose whose LVM it is, and why
 * @param lvmdConfig where lvmd.yaml is, if there is one
 */
public record MachineReader(Lvm lvm, LvmOptions options, String whose, Path lvmdConfig) {
    private static final System.Logger LOG = System.getLogger(MachineReader.class.getName());
    private static final int OUTPUT_BYTES = 64 << 10;
    private static final List<String> SETTINGS =
            List.of(
                    Machine.USE_AIO,
                    Machine.FILTER,
                    Machine.GLOBAL_FILTER,
                    Machine.USE_DEVICES_FILE,
                    Machine.SCAN_LVS);

    /** Tools whose version matters, each with the argument that makes it print one. */
    private static final Map<String, String> TOOLS =
            Map.of(
                    Machine.THIN_CHECK,
                    "--version",
                    "mkfs.ext4",
                    "-V",
                    "mkfs.xfs",
                    "-V",
                    "mkfs.btrfs",
                    "--version",
                    "dmsetup",
                    "--version",
                    "udevadm",
                    "--version");

    /**
     * Reads everything.
     *
     * @throws IOException if the device-mapper gives no answer
     */
    public Machine read() throws LvmException, IOException, InterruptedException {
        var deviceMapper = DeviceMapper.system();
        return new Machine(
                lvm.engine(),
                whose,
                lvm.watchdogObstacle(),
                lvm.groups().reports(),
                lvm.physicalVolumes().all(),
                deviceMapper.available(),
                deviceMapper.suspended(),
                settings(),
                tools(),
                lvmd());
    }

    private Map<String, String> settings() throws InterruptedException {
        var settings = new LinkedHashMap<String, String>();
        for (var key : SETTINGS) {
            var lvmconfig = HostProgram.lvm(options, "lvmconfig", "--typeconfig", "full", key);
            var name = key.substring(key.indexOf('/') + 1) + '=';
            output(lvmconfig)
                    .flatMap(text -> text.lines().filter(l -> l.startsWith(name)).findFirst())
                    .ifPresent(line -> settings.put(key, line.substring(name.length())));
        }
        return settings;
    }

    private Map<String, String> tools() throws IOException, InterruptedException {
        var tools = new LinkedHashMap<String, String>();
        tools.put("kernel", Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip());
        for (var tool : TOOLS.keySet().stream().sorted().toList()) {
            var program = HostProgram.of(options, tool, TOOLS.get(tool));
            tools.put(tool, output(program).map(MachineReader::version).orElse(""));
        }
        return tools;
    }

    /** Returns the first line with a digit, without the tool's name. */
    private static String version(String text) {
        return text.lines()
                .filter(line -> line.chars().anyMatch(Character::isDigit))
                .findFirst()
                .map(line -> line.replaceFirst("^[^0-9]*\\s", "").strip())
                .orElse("");
    }

    /** Returns what a program prints; empty if it is not installed or fails. */
    private static Optional<String> output(HostProgram program) throws InterruptedException {
        try {
            var result = program.run(OUTPUT_BYTES);
            return result.succeeded()
                    ? Optional.of(result.stdout() + result.stderr())
                    : Optional.empty();
        } catch (IOException | TimeoutException e) {
            LOG.log(DEBUG, () -> "program gave no answer: " + e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<LvmdConfig.Reading> lvmd() throws IOException {
        return new LvmdConfigFile(lvmdConfig).read().map(LvmdConfig::read);
    }
}
