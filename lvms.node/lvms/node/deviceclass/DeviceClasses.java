package lvms.node.deviceclass;

import lvms.lvm2.LvcreateOptions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The device classes this node serves at one moment; a value, so a caller that keeps one sees one
 * consistent state. {@link LiveDeviceClasses} has the current one.
 *
 * @param classes ordered by name, each name once, at most one default
 * @param lvcreateOptionClasses name of an option class to the arguments that replace a device
 *     class' stripes and lvcreate options
 */
public record DeviceClasses(
        List<NodeDeviceClass> classes, Map<String, List<String>> lvcreateOptionClasses) {
    private static final DeviceClasses NONE = new DeviceClasses(List.of(), Map.of());

    /** Orders the classes and checks that names and the default are unique. */
    public DeviceClasses {
        var ordered = new ArrayList<>(classes);
        ordered.sort(Comparator.comparing(NodeDeviceClass::name));
        var names = new HashSet<String>();
        boolean hasDefault = false;
        for (var deviceClass : ordered) {
            if (!names.add(deviceClass.name())) {
                throw new IllegalArgumentException(
                        "device class listed twice: " + deviceClass.name());
            }
            if (hasDefault && deviceClass.isDefault()) {
                throw new IllegalArgumentException(
                        "second default device class: " + deviceClass.name());
            }
            hasDefault |= deviceClass.isDefault();
        }
        classes = List.copyOf(ordered);
        lvcreateOptionClasses = Map.copyOf(lvcreateOptionClasses);
    }

    /** No class at all: a node that has just started, or has no volume group. */
    public static DeviceClasses none() {
        return NONE;
    }

    /**
     * Finds the class a volume asks for.
     *
     * @param name name of the class; empty asks for the default class
     */
    public Optional<NodeDeviceClass> find(String name) {
        return classes.stream()
                .filter(c -> name.isEmpty() ? c.isDefault() : c.name().equals(name))
                .findFirst();
    }

    /** Returns the names of the volume groups that classes live in, each once. */
    public Set<String> volumeGroups() {
        return classes.stream()
                .map(NodeDeviceClass::volumeGroup)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the names of the thin pools of classes in one volume group. */
    public Set<String> pools(String volumeGroup) {
        return inVolumeGroup(volumeGroup).stream()
                .flatMap(deviceClass -> deviceClass.thin().stream())
                .map(NodeDeviceClass.Provisioning.Thin::pool)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the classes that live in one volume group (a thick one and one per thin pool). */
    public List<NodeDeviceClass> inVolumeGroup(String volumeGroup) {
        return classes.stream().filter(c -> c.volumeGroup().equals(volumeGroup)).toList();
    }

    /**
     * Returns one line for each class, and for each option class, of which no new volume can be
     * made. The volumes that it has are served.
     */
    public List<String> refusals() {
        var lines = new ArrayList<String>();
        for (var each : classes) {
            each.refusal().ifPresent(why -> lines.add(refusal("device", each.name(), why)));
        }
        new TreeMap<>(lvcreateOptionClasses)
                .forEach(
                        (name, words) ->
                                LvcreateOptions.refusal(words)
                                        .ifPresent(
                                                why ->
                                                        lines.add(
                                                                refusal(
                                                                        "lvcreate option",
                                                                        name,
                                                                        why))));
        return lines;
    }

    private static String refusal(String kind, String name, String why) {
        return "%s class \"%s\" gets no new volumes: %s".formatted(kind, name, why);
    }

    /**
     * Returns the arguments of an option class; empty if there is no such class.
     *
     * @param optionClass name of the option class
     */
    public Optional<List<String>> lvcreateOptions(String optionClass) {
        return Optional.ofNullable(lvcreateOptionClasses.get(optionClass));
    }
}
