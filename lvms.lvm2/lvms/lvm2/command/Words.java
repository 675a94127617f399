package lvms.lvm2.command;

import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LvName;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Words of command lines that several operations need. */
final class Words {
    /** Options whose value is the next word, and may be any name. */
    private static final Set<String> VALUED =
            Set.of(
                    ("-n -p -L -l -V -m -i -I -R -r -S -C -A -Z -W -k --type --thinpool --addtag"
                                    + " --deltag --alloc --metadatasize --poolmetadatasize"
                                    + " --poolmetadata --chunksize --profile --metadataprofile"
                                    + " --readahead --regionsize --stripes --stripesize --mirrors"
                                    + " --mirrorlog --minrecoveryrate --maxrecoveryrate"
                                    + " --syncaction --discards --errorwhenfull --zero"
                                    + " --wipesignatures --setactivationskip --setautoactivation"
                                    + " --fs --polloperation --poll --config --delpvid")
                            .split(" "));

    private Words() {}

    /**
     * Returns what a command is about: the groups of the volumes and groups that it names, and
     * devices. The name of the command, options and their values are none of these: a group may be
     * called {@code thin} or {@code suspend}, too.
     */
    static Set<String> subjects(List<String> command) {
        var subjects = new HashSet<String>();
        for (int i = 1; i < command.size(); i++) {
            var word = command.get(i);
            if (!word.startsWith("-") && !VALUED.contains(command.get(i - 1))) {
                int slash = word.indexOf('/');
                subjects.add(slash > 0 ? word.substring(0, slash) : word);
            }
        }
        return subjects;
    }

    /**
     * Returns the note of a removal. If it is cut, LVM may know no more in which pool the volume
     * was.
     */
    static List<String> noting(Optional<LvName> pool, List<String> words) {
        return Stream.concat(words.stream(), pool.stream().map(LvName::toString)).toList();
    }

    /** Returns the first words, followed by the devices. */
    static List<String> of(List<Path> devices, String... first) {
        return Stream.concat(Stream.of(first), devices.stream().map(Path::toString)).toList();
    }

    /** Returns the option once for each value. */
    static List<String> options(String option, Set<String> values) {
        return values.stream().sorted().flatMap(value -> Stream.of(option, value)).toList();
    }

    /**
     * Returns the words that turn the present tags into the wanted ones; none if nothing changes.
     */
    static List<String> tagChanges(Set<String> present, Set<String> add, Set<String> remove) {
        add.forEach(Grammar::requireTag);
        remove.forEach(Grammar::requireTag);
        var adding = add.stream().filter(tag -> !present.contains(tag));
        var removing = remove.stream().filter(present::contains);
        var changes = new ArrayList<>(options("--addtag", adding.collect(Collectors.toSet())));
        changes.addAll(options("--deltag", removing.collect(Collectors.toSet())));
        return changes;
    }

    /**
     * Returns the words by which a command changes nothing but this volume: LVM looks at the UUID
     * under its own lock. It says nothing if none is like that.
     */
    static List<String> only(Identity<LvName> volume, String... command) {
        return onlyIf("", volume, command);
    }

    /** Returns words for a command that changes nothing but these volumes. */
    static List<String> only(Collection<Identity<LvName>> volumes) {
        var uuids = volumes.stream().map(volume -> "lv_uuid=" + volume.uuid());
        var any = uuids.collect(Collectors.joining("||"));
        var names = volumes.stream().map(volume -> volume.name().toString());
        return Stream.concat(Stream.of("-S", any), names).toList();
    }

    /**
     * The words for one volume, if something else is true of it too.
     *
     * @param more what lvmreport(7) calls a selection, such as {@code &&thin_count=0}
     */
    static List<String> onlyIf(String more, Identity<LvName> volume, String... command) {
        var selected = Stream.of("-S", "lv_uuid=" + volume.uuid() + more, "" + volume.name());
        return Stream.concat(Stream.of(command), selected).toList();
    }

    /** The same for a group. */
    static List<String> onlyGroup(Identity<String> group, String... command) {
        return onlyGroupIf("", group, command);
    }

    /** The same, if something else is true of the group too. */
    static List<String> onlyGroupIf(String more, Identity<String> group, String... command) {
        var selected = Stream.of("-S", "vg_uuid=" + group.uuid() + more, group.name());
        return Stream.concat(Stream.of(command), selected).toList();
    }

    /** Without {@code -y} LVM asks, gets no answer, and refuses a device with a signature. */
    static List<String> wipe(boolean wipe) {
        return wipe ? List.of("-y") : List.of();
    }
}
