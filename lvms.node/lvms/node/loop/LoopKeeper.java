package lvms.node.loop;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.listing.LoopDevice;
import lvms.api.listing.LoopState;
import lvms.lvm2.device.BlockDevice;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.loop.LoopDevices;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes and attaches the loop devices of classes, and takes them down with their class. After a
 * boot, a device may have another number; its file says which one it is.
 *
 * @param names how files are named
 * @param files files of the host
 * @param devices block devices of this machine
 */
public record LoopKeeper(LoopNames names, HostFiles files, BlockDevices devices) {
    private static final System.Logger LOG = System.getLogger(LoopKeeper.class.getName());

    /** LVM's metadata areas, and a little more: a file without room gives I/O errors. */
    private static final long LEAST_ROOM_BYTES = 64L << 20;

    /**
     * Sees to it that they are there, and says of each how it is: first of those that the class
     * asks for, in its order, then of those that it no longer names.
     *
     * @param volumeGroup name of the volume group, after which files are named
     * @param wishes what the class asks for
     * @param recorded what was said before
     * @param make whether files may be made
     */
    public List<LoopState> keep(
            String volumeGroup, List<LoopDevice> wishes, List<LoopState> recorded, boolean make) {
        var states = new ArrayList<LoopState>();
        for (var wish : wishes) {
            var file = recordedFile(recorded, wish.name());
            try {
                states.add(
                        wish.auto()
                                ? own(volumeGroup, wish, file, make)
                                : theirs(wish.name(), file));
            } catch (IOException e) {
                states.add(LoopState.failed(wish.name(), file, e.getMessage()));
            }
        }
        for (var former : recorded) {
            if (states.stream().noneMatch(state -> state.name().equals(former.name()))) {
                states.add(former(former));
            }
        }
        return List.copyOf(states);
    }

    private static String recordedFile(List<LoopState> recorded, String name) {
        return recorded.stream()
                .filter(state -> state.name().equals(name))
                .map(LoopState::file)
                .findFirst()
                .orElse("");
    }

    private LoopState own(String volumeGroup, LoopDevice wish, String recorded, boolean make)
            throws IOException {
        var name = wish.name();
        var problem = problem(wish, recorded);
        if (problem.isPresent()) {
            return LoopState.failed(name, recorded, problem.get());
        }
        var file = file(volumeGroup, wish, recorded);
        var size = files.size(file);
        var device = size.isPresent() ? device(file) : Optional.<Path>empty();
        var plan = new LoopPlan(wish, file, !recorded.isEmpty(), size, device);
        return switch (plan.next()) {
            case LoopPlan.Step.Use(var there) -> successful(name, file, there, plan.note());
            case LoopPlan.Step.Attach() -> successful(name, file, attach(file), plan.note());
            case LoopPlan.Step.Make(_) when !make ->
                    LoopState.failed(name, recorded, "it was never made");
            case LoopPlan.Step.Make(var bytes) -> {
                make(file, bytes);
                yield successful(name, file, attach(file), "");
            }
            case LoopPlan.Step.Refuse(var why) -> LoopState.failed(name, recorded, why);
        };
    }

    private static LoopState successful(String name, Path file, Path device, String note) {
        return LoopState.successful(name, file.toString(), device.toString(), note);
    }

    /** Whoever made the file that is there may have had other rules. */
    private static Optional<String> problem(LoopDevice wish, String recorded) {
        return recorded.isEmpty() ? LoopNames.problem(wish) : Optional.empty();
    }

    /** A file that was recorded stays, whatever the class says of its folder. */
    private Path file(String volumeGroup, LoopDevice wish, String recorded) throws IOException {
        return files.real(recorded.isEmpty() ? names.file(volumeGroup, wish) : Path.of(recorded));
    }

    /**
     * Returns the file of a device that the node makes, as a path of the host; empty if it can have
     * none.
     */
    public Optional<Path> file(String volumeGroup, LoopDevice wish, List<LoopState> recorded)
            throws IOException {
        var known = recordedFile(recorded, wish.name());
        return problem(wish, known).isPresent()
                ? Optional.empty()
                : Optional.of(file(volumeGroup, wish, known));
    }

    /** Returns the device that has a file; empty if none has, or there is no file. */
    public Optional<Path> device(Path file) throws IOException {
        return files.size(file).isPresent() ? LoopDevices.find(files.seen(file)) : Optional.empty();
    }

    private Path attach(Path file) throws IOException {
        var device = LoopDevices.attach(files.seen(file));
        LOG.log(INFO, () -> "loop device attached device=" + device + " file=" + file);
        return device;
    }

    private void make(Path file, long bytes) throws IOException {
        var folder = file.getParent();
        if (!files.isFolder(folder)) {
            throw new IOException("there is no folder %s on the node".formatted(folder));
        }
        long room = files.usableBytes(folder);
        if (room < LEAST_ROOM_BYTES) {
            throw new IOException(
                    "the filesystem of %s is full: %d bytes are left".formatted(folder, room));
        }
        files.makeSparse(file, bytes);
        LOG.log(INFO, () -> "file of a loop device made file=" + file + " sizeBytes=" + bytes);
    }

    /** A person's: it is taken as it is, and after a boot as it was. */
    private LoopState theirs(String name, String recorded) throws IOException {
        if (!LoopNames.isDevice(name)) {
            return LoopState.failed(
                    name, recorded, "without auto, its name is that of a device: /dev/loopN");
        }
        var device = Path.of(name);
        var backing = devices.find(device).flatMap(BlockDevice::backingFile).map(Path::toString);
        return backing.isPresent()
                ? adopted(device, recorded, backing.get())
                : attachedAgain(device, recorded);
    }

    private static LoopState adopted(Path device, String recorded, String backing)
            throws IOException {
        var name = device.toString();
        if (!recorded.isEmpty() && !recorded.equals(backing)) {
            return LoopState.failed(
                    name, recorded, "its file was %s, and is %s now".formatted(recorded, backing));
        }
        return LoopDevices.isWhole(device)
                ? LoopState.successful(name, backing, name, "")
                : LoopState.failed(
                        name,
                        recorded,
                        "it is a part of %s (offset or size limit), which nobody would know after"
                                        .formatted(backing)
                                + " a boot: use a whole file");
    }

    private LoopState attachedAgain(Path device, String recorded) throws IOException {
        var name = device.toString();
        if (recorded.isEmpty()) {
            return LoopState.failed(name, "", "it has no file: attach one with losetup");
        }
        var file = Path.of(recorded);
        if (files.size(file).isEmpty()) {
            return LoopState.failed(
                    name,
                    recorded,
                    "its file %s is gone: put it back, or mount its filesystem".formatted(file));
        }
        var other = device(file);
        if (other.isPresent()) {
            return LoopState.failed(
                    name,
                    recorded,
                    "its file %s is attached to %s now: name that one, or detach it"
                            .formatted(file, other.get()));
        }
        LoopDevices.attach(files.seen(file), device);
        LOG.log(INFO, () -> "loop device attached again device=" + device + " file=" + file);
        return LoopState.successful(name, recorded, name, "");
    }

    /** The class no longer names it, but its volume group may need it still. */
    private LoopState former(LoopState state) {
        if (state.file().isEmpty() || LoopNames.isDevice(state.name())) {
            return state;
        }
        var file = Path.of(state.file());
        try {
            if (files.size(file).isEmpty()) {
                return LoopState.failed(state.name(), state.file(), "its file is gone");
            }
            var there = device(file);
            return successful(
                    state.name(),
                    file,
                    there.isPresent() ? there.get() : attach(file),
                    "the class no longer names it");
        } catch (IOException e) {
            return LoopState.failed(state.name(), state.file(), e.getMessage());
        }
    }

    /**
     * Returns the files that were made for a volume group and are there still: what is left to be
     * removed when the group is gone.
     */
    public List<Path> made(String volumeGroup, List<LoopState> states) throws IOException {
        var made = new ArrayList<Path>();
        for (var state : states) {
            var file = Path.of(state.file());
            if (names.isOurs(volumeGroup, state.name(), file) && files.size(file).isPresent()) {
                made.add(file);
            }
        }
        return made;
    }

    /** Detaches a file that this node made, and removes it. */
    public void remove(Path file, Path device) throws IOException {
        LoopDevices.detach(device);
        files.remove(file);
        LOG.log(INFO, () -> "loop device removed device=" + device + " file=" + file);
    }
}
