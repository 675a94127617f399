package lvms.node.volume;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.StatusCode;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thin;
import lvms.node.erasure.Marks;
import lvms.node.proof.HalfMade;
import lvms.node.proof.NewVolumeWipe;
import lvms.node.proof.Proofs;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * One volume on its way into LVM: made, or found as an earlier attempt left it, and finished.
 *
 * @param lvm limited to the devices of the volume's group
 * @param activation whether volumes are active on this machine
 */
record Making(NewVolume wanted, Lvm lvm, boolean activation, InstantSource clock) {
    private static final System.Logger LOG = System.getLogger(Making.class.getName());

    /** The name is final from the first command on, so the volume may be there in part. */
    LogicalVolume findOrMake() throws LvmException, VolumeRefused, InterruptedException {
        return finish(found());
    }

    private LogicalVolume found() throws LvmException, VolumeRefused, InterruptedException {
        try {
            var volume = created();
            return wanted instanceof NewVolume.Thick thick ? wiped(thick, volume) : volume;
        } catch (LvmException.AlreadyExists | LvmException.NotFound e) {
            return adopted(e); // a copy may be there while its source is gone
        }
    }

    /**
     * Makes the volume under a name that nobody has yet. If a later step fails, what was made is
     * removed again.
     *
     * @throws LvmException.AlreadyExists if the name is taken
     */
    LogicalVolume makeOrUndo() throws LvmException, InterruptedException {
        if (lvm.volumes().find(wanted.name()).isPresent()) {
            throw taken();
        }
        var begun = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var made = Optional.<String>empty();
        try {
            var volume = created();
            if (volume.created().isPresent()) {
                throw taken();
            }
            made = Optional.of(volume.uuid());
            return finish(volume);
        } catch (LvmException.AlreadyExists e) {
            throw e; // somebody else was faster
        } catch (LvmException | InterruptedException | RuntimeException e) {
            // RuntimeException: also a size that LVM's grammar refuses; InterruptedException: the
            // caller gave up between two steps, and would take a half-made copy for a whole one
            undo(made, begun, e);
            throw e;
        }
    }

    private LvmException.AlreadyExists taken() {
        return new LvmException.AlreadyExists(wanted.name() + " exists already");
    }

    /** Removes what was made; the name was free, but somebody may have taken it meanwhile. */
    private void undo(Optional<String> made, Instant begun, Exception why)
            throws InterruptedException {
        try {
            var there = lvm.volumes().find(wanted.name());
            var obstacle =
                    there.flatMap(lv -> Proofs.undo(new HalfMade(lv, made, wanted.tags(), begun)));
            if (obstacle.isPresent()) {
                LOG.log(WARNING, () -> "nothing is taken back: " + obstacle.get());
            } else if (there.isPresent()) {
                lvm.volumes().remove(there.get().identity());
            }
        } catch (LvmException | IllegalArgumentException e) {
            LOG.log(
                    WARNING,
                    () ->
                            "cannot remove the half-made volume lv="
                                    + wanted.name()
                                    + ": "
                                    + e.getMessage());
            why.addSuppressed(e);
        }
    }

    private LogicalVolume created() throws LvmException, InterruptedException {
        return switch (wanted) {
            case NewVolume.Thick(var request, _, _) -> lvm.volumes().createThick(request);
            case NewVolume.ThinVolume(var request, _) -> lvm.volumes().createThin(request);
            case NewVolume.ThickSnapshot(var request) -> lvm.snapshots().createThick(request);
            case NewVolume.Copy(var request, _, _, _) -> lvm.snapshots().createThin(request);
        };
    }

    /**
     * Wipes a volume that was there already, if it is proven that only its creation was cut short.
     * LVM itself wiped one that it has just made, whose record tells no time; one that is zeroed
     * has its own proof.
     */
    private LogicalVolume wiped(NewVolume.Thick thick, LogicalVolume volume)
            throws LvmException, InterruptedException {
        if (volume.created().isEmpty() || !volume.active() || thick.isOverwritten()) {
            return volume;
        }
        var evidence =
                new NewVolumeWipe(volume.name(), thick.unused(), volume.created(), clock.instant());
        var obstacle = Proofs.wipe(evidence);
        if (obstacle.isPresent()) {
            LOG.log(
                    WARNING,
                    () -> "a volume was there already, its content stays: " + obstacle.get());
            return volume;
        }
        try {
            lvm.volumes().wipeSignatures(volume.identity());
        } catch (LvmException.InUse e) {
            LOG.log(
                    WARNING,
                    () ->
                            "a new volume is already in use, so its signatures were not wiped: "
                                    + e.getMessage());
        }
        return volume;
    }

    /**
     * Takes over a volume that has the name but not all that we give to new ones: TopoLVM made it,
     * or the source of the copy is gone. The name is the UID of the object, so nobody else chose
     * it.
     */
    private LogicalVolume adopted(LvmException why)
            throws LvmException, VolumeRefused, InterruptedException {
        var there = lvm.volumes().find(wanted.name()).orElseThrow(() -> why);
        var pool = wanted.pool().map(Thin::pool);
        boolean fits =
                there.isThin() == pool.isPresent()
                        && there.isThickSnapshot() == wanted instanceof NewVolume.ThickSnapshot
                        && (pool.isEmpty() || there.pool().equals(pool));
        if (!fits || there.isThinPool()) {
            throw new VolumeRefused(
                    StatusCode.ALREADY_EXISTS,
                    wanted.name() + " exists, but with another layout: " + there.layout());
        }
        return there;
    }

    /** Does the rest after the creation, and only what is missing: this may be the second pass. */
    private LogicalVolume finish(LogicalVolume made) throws LvmException, InterruptedException {
        var id = made.identity();
        var volume = made;
        if (volume.sizeBytes() < wanted.sizeBytes() && !showsOldContent(volume)) {
            volume = lvm.volumes().extend(id, wanted.sizeBytes());
        }
        if (volume.writable() != wanted.writable()) {
            volume = lvm.volumes().changePermission(id, wanted.writable());
        }
        return volume.active() || !activation ? volume : lvm.volumes().activate(id);
    }

    /** Whether it was zeroed, or found, and would show what is on the extents it gets. */
    private boolean showsOldContent(LogicalVolume found) {
        return wanted.isZeroed() && !found.tags().contains(Marks.UNERASED);
    }
}
