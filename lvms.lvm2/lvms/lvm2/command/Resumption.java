package lvms.lvm2.command;

import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.device.DeviceMapper;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Lets the I/O go on that changes of dead processes left waiting, without LVM: by the files that
 * note the changes and the device-mapper. What a change has written down may be missing in the
 * devices then, so its file says which LVM has to look at; see {@link Mending}.
 *
 * @param changes the files
 * @param devices the devices
 * @param patience how long to wait for LVM's locks
 */
record Resumption(CutChanges changes, SuspendedDevices devices, Duration patience) {
    private static final System.Logger LOG = System.getLogger(Resumption.class.getName());
    private static final Duration PAUSE = Duration.ofMillis(50);

    /**
     * On this machine.
     *
     * @param locks the folder of LVM's locks
     */
    static Resumption in(Path locks, Duration patience) {
        var devices = new SuspendedDevices(DeviceMapper.system(), locks);
        return new Resumption(new CutChanges(locks), devices, patience);
    }

    /** Where a process with these options works. */
    static Resumption of(LvmOptions options, Duration patience) {
        return in(CutChanges.lockFolder(options), patience);
    }

    /** After all changes that were cut. */
    void afterAll() throws InterruptedException {
        for (var note : changes.all()) {
            after(note);
        }
    }

    /**
     * After one change, which was cut or holds I/O for too long; nothing happens if it has ended.
     * What cannot be resumed is logged, and left to the next process.
     */
    void after(Path note) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (!done(note)) {
            if (System.nanoTime() > end) {
                LOG.log(Level.WARNING, () -> "some I/O still waits for a killed change " + note);
                return;
            }
            Thread.sleep(PAUSE);
        }
    }

    private boolean done(Path note) throws InterruptedException {
        try {
            var words = Files.readAllLines(note);
            boolean done = true;
            for (var vg : devices.groups()) {
                if (CutChanges.changes(words, vg)) {
                    done &= resumed(note, words, vg);
                }
            }
            return done;
        } catch (NoSuchFileException e) {
            return true;
        } catch (LvmException | IOException e) {
            LOG.log(Level.WARNING, () -> "cannot let I/O go on, will retry " + note + ": " + e);
            return false;
        }
    }

    /** What holds LVM's lock may be a command that waits for this very I/O. */
    private boolean resumed(Path note, List<String> words, String vg)
            throws LvmException, IOException, InterruptedException {
        CutChanges.resumed(note, devices.volumes(vg));
        if (devices.resumeAll(vg)) {
            return true;
        }
        devices.resume(CutChanges.held(words));
        return false;
    }
}
