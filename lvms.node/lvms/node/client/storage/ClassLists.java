package lvms.node.client.storage;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.node.client.LvmdConnection;
import lvms.node.proof.Adoption;
import lvms.node.proof.Proofs;
import lvms.node.volume.FormerVolumes;
import lvms.node.volume.VolumeRefused;
import lvms.proto.lvmd.LogicalVolume;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What an lvmd's lists of its device classes say during one pass; each is read once. */
final class ClassLists implements FormerVolumes.Places {
    private final LvmdConnection lvmd;
    private final Set<String> known;
    private final Map<String, Optional<List<LogicalVolume>>> read = new HashMap<>();

    /**
     * @param known the names of the classes that lvmd has told of
     */
    ClassLists(LvmdConnection lvmd, Set<String> known) {
        this.lvmd = lvmd;
        this.known = new TreeSet<>(known);
    }

    /**
     * A volume in a list.
     *
     * @param deviceClass name of the class, as it was asked for
     * @param attributes lv_attr as LVM writes it
     */
    record Entry(
            String deviceClass, LvName name, long sizeBytes, Set<String> tags, String attributes) {
        private static final String DEV = "/dev/";

        /** The path is the only place where the group's name is. */
        static Entry of(String deviceClass, LogicalVolume volume) {
            var path = volume.getPath();
            if (!path.startsWith(DEV) || !path.endsWith('/' + volume.getName())) {
                throw new IllegalArgumentException(
                        "lvmd gives no path of " + volume.getName() + ": \"" + path + '"');
            }
            var vg = path.substring(DEV.length(), path.length() - volume.getName().length() - 1);
            return new Entry(
                    deviceClass,
                    new LvName(vg, volume.getName()),
                    volume.getSizeBytes(),
                    volume.getTagsList().stream()
                            .filter(tag -> !tag.isEmpty()) // TopoLVM's word for none
                            .collect(Collectors.toUnmodifiableSet()),
                    volume.getAttr());
        }

        boolean writable() {
            return attributes.length() > 1 && attributes.charAt(1) != 'r';
        }

        boolean open() {
            return attributes.length() > 5 && attributes.charAt(5) == 'o';
        }
    }

    /** Returns whether lvmd knows the class. */
    boolean has(String deviceClass) throws LvmException, VolumeRefused, InterruptedException {
        return list(deviceClass).isPresent();
    }

    /**
     * Finds a volume in a class.
     *
     * @throws VolumeRefused NOT_FOUND if lvmd does not know the class
     */
    Optional<Entry> in(String deviceClass, String lv)
            throws LvmException, VolumeRefused, InterruptedException {
        var list =
                list(deviceClass)
                        .orElseThrow(
                                () ->
                                        new VolumeRefused(
                                                StatusCode.NOT_FOUND,
                                                deviceClass.isEmpty()
                                                        ? "lvmd has no default device class"
                                                        : "lvmd has no device class "
                                                                + deviceClass));
        for (var volume : list) {
            if (volume.getName().equals(lv)) {
                return Optional.of(entry(deviceClass, volume));
            }
        }
        return Optional.empty();
    }

    /** Finds a volume in its class, or in any: lvmd.yaml may have been changed since. */
    Optional<Entry> find(String lv, String likely)
            throws LvmException, VolumeRefused, InterruptedException {
        if (has(likely)) {
            var there = in(likely, lv);
            if (there.isPresent()) {
                return there;
            }
        }
        for (var other : known) {
            if (has(other)) {
                var there = in(other, lv);
                if (there.isPresent()) {
                    return there;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<List<LogicalVolume>> list(String deviceClass)
            throws LvmException, VolumeRefused, InterruptedException {
        var before = read.get(deviceClass);
        if (before != null) {
            return before;
        }
        Optional<List<LogicalVolume>> list;
        try {
            list = Optional.of(lvmd.list(deviceClass));
        } catch (VolumeException e) {
            if (e.code() != StatusCode.NOT_FOUND) {
                throw new VolumeRefused(e.code(), e.getMessage());
            }
            list = Optional.empty();
        }
        read.put(deviceClass, list);
        return list;
    }

    private static Entry entry(String deviceClass, LogicalVolume volume) throws VolumeRefused {
        try {
            return Entry.of(deviceClass, volume);
        } catch (IllegalArgumentException e) {
            throw new VolumeRefused(StatusCode.INTERNAL, e.getMessage());
        }
    }

    @Override
    public Optional<LvName> locate(String volume, Collection<String> likely)
            throws LvmException, VolumeRefused, InterruptedException {
        for (var place : likely) {
            var there = find(volume, place);
            if (there.isPresent()) {
                return there.map(Entry::name);
            }
        }
        return Optional.empty();
    }

    @Override
    public List<LvName> tagged(String deviceClass, String tag, boolean fresh)
            throws LvmException, VolumeRefused, InterruptedException {
        var found = new ArrayList<LvName>();
        for (var volume : list(deviceClass).orElse(List.of())) {
            if (volume.getTagsList().contains(tag)) {
                found.add(entry(deviceClass, volume).name());
            }
        }
        return List.copyOf(found);
    }

    @Override
    public Optional<String> obstacle(
            lvms.api.LogicalVolume object, LvName volume, Optional<String> holder)
            throws LvmException, VolumeRefused, InterruptedException {
        var tags = find(volume.lv(), object.spec().deviceClass()).map(Entry::tags).orElse(Set.of());
        return Proofs.adopt(new Adoption(object.name(), volume, Optional.empty(), holder))
                .or(
                        () ->
                                Proofs.taggedFor(tags)
                                        .filter(name -> !name.equals(object.name()))
                                        .map(name -> volume + " has the tag of volume " + name));
    }
}
