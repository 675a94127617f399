package lvms.lvm2.command;

import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LvmException;
import lvms.lvm2.MoveProgress;
import lvms.lvm2.NewPhysicalVolume;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.PhysicalVolumeMove;
import lvms.lvm2.PhysicalVolumes;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.report.CommandOutput;
import lvms.lvm2.report.FailureKind;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Physical volumes. Each change sees the devices it works on, whatever the view's scope. */
record PhysicalVolumeChanges(MendingRunner runner, Reads reads) implements PhysicalVolumes {
    /** What lvmdevices ends with if the file does not list the volume, and if there is no file. */
    private static final int PROCESSING_FAILED = 5;

    /** An LVM without devices files, so before 2.03.12. */
    private static final int NO_SUCH_COMMAND = 2;

    PhysicalVolumeChanges(MendingRunner runner) {
        this(runner, runner.reads());
    }

    @Override
    public List<PhysicalVolume> all() throws LvmException, InterruptedException {
        return reads.physicalVolumes();
    }

    @Override
    public Optional<PhysicalVolume> find(Path device) throws LvmException, InterruptedException {
        Grammar.requireDevice(device);
        return seeing(List.of(device)).reads.physicalVolume(device);
    }

    @Override
    public PhysicalVolume create(NewPhysicalVolume request)
            throws LvmException, InterruptedException {
        var words = new ArrayList<>(List.of("pvcreate"));
        words.addAll(Words.wipe(request.wipe()));
        words.addAll(List.of("--metadatasize", request.metadataSizeBytes() + "b"));
        words.add(request.device().toString());
        try (var _ = runner.locks().devices()) {
            var found = find(request.device()); // LVM would recreate an existing one
            if (found.isEmpty()) {
                seeing(List.of(request.device())).runner.run(Effect.CHANGE, words);
                return existing(request.device());
            }
            if (!found.get().vgName().isEmpty()) {
                throw new LvmException.InUse(
                        "pvcreate " + request.device() + ": in group " + found.get().vgName());
            }
            return found.get();
        }
    }

    @Override
    public void resize(Identity<Path> volume) throws LvmException, InterruptedException {
        change(volume, "pvresize");
    }

    @Override
    public void remove(Identity<Path> volume) throws LvmException, InterruptedException {
        try {
            change(volume, "pvremove");
        } catch (LvmException.NotFound e) {
            // it has no label, as the caller wants
        }
    }

    @Override
    public void forget(String pvUuid) throws LvmException, InterruptedException {
        Grammar.requirePvUuid(pvUuid);
        try (var _ = runner.locks().devices()) {
            runner.run(Effect.CHANGE, List.of("lvmdevices", "-y", "--delpvid", pvUuid));
        } catch (LvmException.NotFound e) {
            // it is not listed, as the caller wants
        } catch (LvmException.CommandFailed e) {
            if (e.status() != PROCESSING_FAILED && e.status() != NO_SUCH_COMMAND) {
                throw e;
            }
        }
    }

    /**
     * A move holds no turn: the program runs for hours, and takes LVM's lock only for the beginning
     * and the end of each part. It runs on its own thread, so that an interrupt ends the wait and
     * not the move.
     */
    @Override
    public void move(PhysicalVolumeMove request, MoveProgress progress)
            throws LvmException, InterruptedException {
        var wide = seeing(request.to());
        var source = wide.existing(request.from());
        if (source.vgName().isEmpty() || !wide.moving(source) && source.allocatedExtents() == 0) {
            return;
        }
        var words = new ArrayList<>(List.of("pvmove", "-y", "-i", "2", source.device()));
        request.to().forEach(device -> words.add(device.toString()));
        var note = noted(words, source);
        var task = new FutureTask<>(() -> wide.runner.run(Effect.LONG, words, note));
        Thread.ofVirtual().name("pvmove " + source.device()).start(task);
        while (!done(task, request)) {
            var percent = wide.reads.movePercent(source);
            if (percent.isPresent()) {
                progress.moved(percent.getAsDouble());
            }
        }
    }

    private static boolean done(FutureTask<CommandOutput> task, PhysicalVolumeMove request)
            throws LvmException, InterruptedException {
        try {
            task.get(request.every().toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return switch (e.getCause()) {
                case LvmException.CommandFailed failed when nothingLeft(failed) -> true;
                case LvmException failed -> throw failed;
                case InterruptedException interrupted -> throw interrupted;
                default -> throw new IllegalStateException(e.getCause());
            };
        }
    }

    private static boolean nothingLeft(LvmException.CommandFailed failed) {
        return FailureKind.of(failed.status(), failed.errors()) == FailureKind.NOTHING_TO_DO;
    }

    private boolean moving(PhysicalVolume source) throws LvmException, InterruptedException {
        return reads.movePercent(source).isPresent();
    }

    @Override
    public void abortMove(Identity<Path> from) throws LvmException, InterruptedException {
        var source = existing(from);
        if (source.vgName().isEmpty()) {
            return;
        }
        try (var _ = runner.locks().change(source.vgName())) {
            if (moving(source)) {
                var words = List.of("pvmove", "-y", "--abort", source.device());
                runner.run(Effect.CHANGE, words, noted(words, source));
            }
        }
    }

    /** The words of a move do not name its group. */
    private static List<String> noted(List<String> words, PhysicalVolume source) {
        return Stream.concat(words.stream(), Stream.of(source.vgName())).toList();
    }

    private PhysicalVolume existing(Path device) throws LvmException, InterruptedException {
        return find(device)
                .orElseThrow(() -> new LvmException.NotFound(device + ": no such physical volume"));
    }

    private PhysicalVolume existing(Identity<Path> volume)
            throws LvmException, InterruptedException {
        var found = existing(volume.name());
        volume.require(found.uuid());
        return found;
    }

    private void change(Identity<Path> volume, String command)
            throws LvmException, InterruptedException {
        var device = volume.name();
        try (var _ = runner.locks().devices()) {
            var vg = existing(volume).vgName();
            var words = List.of(command, "-y", device.toString());
            var wide = seeing(List.of(device)).runner;
            if (vg.isEmpty()) {
                wide.run(Effect.CHANGE, words);
                return;
            }
            try (var _ = runner.locks().change(vg)) {
                wide.run(Effect.CHANGE, words);
            }
        }
    }

    private PhysicalVolumeChanges seeing(Collection<Path> devices) {
        return new PhysicalVolumeChanges(runner.seeing(devices));
    }
}
