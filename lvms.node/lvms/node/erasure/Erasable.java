package lvms.node.erasure;

import lvms.lvm2.Grammar;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.proof.ContentRemoval;
import lvms.node.proof.Proofs;

import java.io.IOException;
import java.util.Optional;

/** Finds a volume whose content is to be erased or overwritten, and proves that it may be. */
public record Erasable(Groups groups, DeviceMapper deviceMapper) {
    public Erasable(Groups groups) {
        this(groups, DeviceMapper.system());
    }

    /**
     * Reads a volume, activates it, and proves that its content may go.
     *
     * @return empty if there is no such volume any more
     * @throws LvmException.InUse if a proof is missing
     */
    public Optional<LogicalVolume> find(LvName name)
            throws LvmException, IOException, InterruptedException {
        var volumes = groups.limitedTo(name.vg()).volumes();
        var found = volumes.find(name);
        if (found.isEmpty()) {
            return found;
        }
        var volume = found.get().active() ? found.get() : volumes.activate(found.get().identity());
        var obstacle = Proofs.erase(evidence(volume));
        if (obstacle.isPresent()) {
            throw new LvmException.InUse("erase " + name + ": " + obstacle.get());
        }
        return Optional.of(volume);
    }

    private ContentRemoval evidence(LogicalVolume volume) throws IOException, InterruptedException {
        var device = deviceMapper.state(Grammar.deviceMapperName(volume.name()));
        return new ContentRemoval(
                volume.name(),
                Marks.isNew(volume),
                Marks.isQuarantined(volume),
                device.map(DeviceMapper.State::openCount).orElse(0));
    }
}
