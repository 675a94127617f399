package lvms.lvm2.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Configuration of LVM: a whole file for our own system folder, or the few settings that each
 * command carries when the machine's own file applies.
 */
public final class LvmConf {
    /**
     * Asks for answers as JSON with the command log, whatever the version's default (it changed in
     * 2.03.26), and for no endless wait for a lock. The selection avoids the broken JSON of
     * versions before 2.03.23. The filter keeps the files of a worker's JVM out of what LVM locks
     * into memory before it suspends a device: 87 instead of 263 MiB, and half the time (seen).
     */
    private static final String ALWAYS =
            """
            log/report_command_log=1
            log/command_log_selection="all"
            report/output_format="json"
            report/time_format="%s"
            global/wait_for_locks=0
            activation/mlock_filter=["lib/modules",".jsa",".aot","libjvm.so","/LC_","gconv/",\
            "locale/locale-archive"]
            """;

    /**
     * For changes, whose errors are on stderr then. A change with a selection leaves pointers to
     * names that it has freed for the next command's log (seen up to 2.03.31): before 2.03.23 it
     * dies of a SIGSEGV itself, later another command of the same process may when it logs
     * something. The last of two settings counts.
     */
    public static final String WITHOUT_LOG = "log/report_command_log=0";

    /** Keeps the group's metadata as they were before this command; see vgcfgrestore(8). */
    public static final String ARCHIVE = "backup/archive=1";

    private LvmConf() {}

    /**
     * The settings as one argument of {@code --config}, where the machine's file applies; it holds
     * no apostrophe.
     */
    public static String perCommand(List<String> more) {
        var all = ALWAYS.lines().toList();
        return String.join(" ", all) + (more.isEmpty() ? "" : " " + String.join(" ", more));
    }

    /** A filter that lets only these devices through, for versions without {@code --devices}. */
    public static String filter(List<Path> devices) {
        var accept = new StringBuilder("devices/filter=[");
        devices.forEach(d -> accept.append("\"a|^").append(quoted(d)).append("$|\","));
        return accept.append("\"r|.*|\"]").toString();
    }

    /** Writes {@code lvm.conf} into the folder, atomically, unless it is there and up to date. */
    public static void write(Path folder, boolean udev, boolean activation) throws IOException {
        Files.createDirectories(folder.resolve("backup"));
        Files.createDirectories(folder.resolve("profile"));
        var file = folder.resolve("lvm.conf");
        var text = text(folder, udev, activation);
        if (Files.exists(file) && Files.readString(file).equals(text)) {
            return;
        }
        var fresh = Files.createTempFile(folder, "lvm.conf", ".new");
        Files.writeString(fresh, text);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * use_aio costs about 40 ms a command and is only read from a file; monitoring needs dmeventd;
     * hints go stale without udev. An archive of each change would cost each claim; {@link
     * #ARCHIVE} makes one before what cannot be undone, and keeps the last hundred of a group.
     */
    static String text(Path folder, boolean udev, boolean activation) {
        int cookies = udev ? 1 : 0;
        return ALWAYS
                + """
                devices/dir="/dev"
                devices/scan=["/dev"]
                devices/use_devicesfile=0
                devices/hints="none"
                devices/obtain_device_list_from_udev=0
                devices/external_device_info_source="none"
                devices/scan_lvs=0
                global/use_aio=0
                global/use_lvmpolld=0
                global/notify_dbus=0
                global/activation=%d
                activation/udev_sync=%d
                activation/udev_rules=%d
                activation/monitoring=0
                backup/backup=1
                backup/archive=0
                backup/backup_dir="%s/backup"
                backup/archive_dir="%s/archive"
                backup/retain_min=100
                backup/retain_days=0
                """
                        .formatted(activation ? 1 : 0, cookies, cookies, folder, folder);
    }

    private static String quoted(Path device) {
        return device.toString().replace(".", "[.]").replace("+", "[+]");
    }
}
