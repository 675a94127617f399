package lvms.lvm2.report;

import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvAttributes.Permission;
import lvms.lvm2.LvmException;
import lvms.lvm2.RaidImage;
import lvms.lvm2.RaidVolume;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * All logical volumes of a group, hidden ones too, with what is under each.
 *
 * @param vg the group
 * @param volumes rows by volume name, one for each segment
 */
public record Layers(String vg, Map<String, List<Map<String, String>>> volumes) {
    public static final String COLUMNS = Columns.LV + ",segtype,region_size,devices";
    private static final String MISSING = "[unknown]";
    private static final Pattern IMAGE = Pattern.compile("(.+)_(rimage|rmeta)_(\\d+)");
    private static final Pattern APART =
            Pattern.compile("(.+)_(?:rimage|rmeta)_\\d+(?:_extracted)?");

    public static Layers of(String vg, List<Map<String, String>> rows) {
        return new Layers(
                vg,
                rows.stream()
                        .collect(
                                Collectors.groupingBy(
                                        row -> Columns.bare(Columns.text(row, "lv_name")),
                                        LinkedHashMap::new,
                                        Collectors.toList())));
    }

    /** Returns the RAID volumes with their images. */
    public List<RaidVolume> raidVolumes() {
        return volumes.values().stream()
                .map(List::getFirst)
                .filter(row -> Columns.text(row, "segtype").startsWith("raid"))
                .map(this::raidVolume)
                .toList();
    }

    private RaidVolume raidVolume(Map<String, String> row) {
        var volume = Columns.logicalVolume(row);
        var images = new TreeMap<Integer, RaidImage>();
        for (var part : partsOf(volume.name().lv())) {
            if (part.group(2).equals("rimage")) {
                images.put(Integer.parseInt(part.group(3)), image(part.group()));
            }
        }
        return new RaidVolume(
                volume,
                Columns.text(row, "segtype"),
                Columns.number(row, "region_size"),
                List.copyOf(images.values()));
    }

    /** The names of its images and their metadata. */
    private List<MatchResult> partsOf(String volume) {
        return volumes.keySet().stream().flatMap(name -> partOf(volume, name).stream()).toList();
    }

    /**
     * Splits the name of an image of this volume, or of an image's metadata.
     *
     * @return the volume, {@code rimage} or {@code rmeta}, and the number; empty for other names
     */
    public static Optional<MatchResult> partOf(String volume, String name) {
        return Optional.of(IMAGE.matcher(name))
                .filter(parts -> isPart(volume, parts))
                .map(Matcher::toMatchResult);
    }

    /** Returns a device on which two images of a volume, or the metadata of two, have extents. */
    public Optional<String> sharedDevice(String volume) {
        var seen = new HashSet<String>();
        for (var part : partsOf(volume)) {
            for (var device : devices(part.group())) {
                if (!seen.add(part.group(2) + device)) {
                    return Optional.of(device);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the images that a conversion, when it was cut short, left outside the volume:
     * visible, with names that LVM gives to no other volume. An image that was split off on
     * purpose, to be merged again, is read only.
     */
    public List<String> apart(String volume) {
        return volumes.keySet().stream()
                .filter(name -> isPart(volume, APART.matcher(name)))
                .filter(this::visible)
                .filter(name -> attributes(name).permission() == Permission.READ_WRITE)
                .toList();
    }

    /**
     * Returns whether the creation of a RAID volume was cut short before it could be used: the
     * metadata of all its images are visible, as only LVM's first step of a creation leaves them.
     */
    public boolean neverActive(String volume) {
        var metadata = partsOf(volume).stream().filter(part -> part.group(2).equals("rmeta"));
        var names = metadata.map(MatchResult::group).toList();
        return volumes.containsKey(volume)
                && Columns.text(first(volume), "segtype").startsWith("raid")
                && !names.isEmpty()
                && names.stream().allMatch(this::visible);
    }

    /** A report puts the names of hidden volumes in brackets. */
    private boolean visible(String name) {
        return Columns.text(first(name), "lv_name").equals(name);
    }

    private static boolean isPart(String volume, Matcher name) {
        return name.matches() && name.group(1).equals(volume);
    }

    private RaidImage image(String name) {
        return new RaidImage(
                name,
                devices(name),
                attributes(name).type() != LvAttributes.Type.IMAGE_OUT_OF_SYNC,
                missing(name) || missing(name.replaceFirst("_rimage_(\\d+)$", "_rmeta_$1")));
    }

    /** A volume that LVM itself replaced with an error target no longer has a device. */
    private boolean missing(String name) {
        return volumes.getOrDefault(name, List.of()).stream()
                .anyMatch(
                        row ->
                                devices(row).contains(MISSING)
                                        || Columns.text(row, "segtype").equals("error"));
    }

    private Map<String, String> first(String name) {
        return volumes.get(name).getFirst();
    }

    private LvAttributes attributes(String name) {
        return LvAttributes.parse(Columns.text(first(name), "lv_attr"));
    }

    private Set<String> devices(String name) {
        return volumes.get(name).stream()
                .flatMap(row -> devices(row).stream())
                .collect(Collectors.toSet());
    }

    /** A device is listed with its first extent, as in {@code /dev/sdb(0)}. */
    private static List<String> devices(Map<String, String> row) {
        return Arrays.stream(Columns.text(row, "devices").split(","))
                .map(device -> device.replaceFirst("\\(\\d+\\)$", ""))
                .filter(device -> !device.isEmpty())
                .toList();
    }

    /**
     * Refuses a group in which a missing device holds something other than an image of a RAID
     * volume: no repair could bring that back.
     */
    public void requireRepairable() throws LvmException.MissingDevice {
        var lost =
                volumes.keySet().stream()
                        .filter(name -> !IMAGE.matcher(name).matches())
                        .filter(this::missing)
                        .toList();
        if (!lost.isEmpty()) {
            throw new LvmException.MissingDevice(
                    vg
                            + ": these volumes lost data with a missing device and have no copy of"
                            + " it: "
                            + lost);
        }
    }
}
