package lvms.operator.preview;

import lvms.api.disk.Disk;
import lvms.operator.preview.DiskVerdict.Kind;
import lvms.operator.volume.SizeRules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A preview as warnings of the API server, which cuts long ones and drops what is too much: at most
 * 4,096 characters for all of them, 256 for one beyond that.
 */
public final class PreviewText {
    private static final int MOST_LINES = 10;
    private static final int MOST_CHARACTERS = 230;

    /** The command that shows all that has no room here. */
    private static final String COMMAND = "lvms disks";

    private PreviewText() {}

    /** Returns the lines; what is destroyed comes first. */
    public static List<String> lines(List<ClassOnNode> preview) {
        var lines = new ArrayList<String>();
        for (var kind : List.of(Kind.WIPED, Kind.TAKEN)) {
            preview.stream()
                    .filter(ClassOnNode::known)
                    .flatMap(entry -> line(entry, kind).stream())
                    .forEach(lines::add);
        }
        unknown(preview).forEach(lines::add);
        if (lines.size() <= MOST_LINES) {
            return lines;
        }
        var shown = new ArrayList<>(lines.subList(0, MOST_LINES - 1));
        shown.add("and %d more: %s".formatted(lines.size() - shown.size(), COMMAND));
        return shown;
    }

    private static Optional<String> line(ClassOnNode entry, Kind kind) {
        var disks = entry.of(kind).stream().map(DiskVerdict::disk).toList();
        if (entry.problem().isPresent() || nothing(entry)) {
            return kind == Kind.TAKEN ? idle(entry) : Optional.empty();
        }
        if (disks.isEmpty()) {
            return Optional.empty();
        }
        var what =
                kind == Kind.WIPED
                        ? " DESTROYS ALL DATA on node %s on "
                        : entry.everything()
                                ? " takes all free disks, on node %s "
                                : " takes on node %s ";
        return Optional.of(subject(entry) + list(what.formatted(entry.node()), disks));
    }

    private static boolean nothing(ClassOnNode entry) {
        return entry.of(Kind.WIPED).isEmpty() && entry.of(Kind.TAKEN).isEmpty();
    }

    /** A class that has its disks on the node and takes no more is not worth a line. */
    private static Optional<String> idle(ClassOnNode entry) {
        var why =
                entry.problem().isPresent()
                        ? entry.problem()
                        : entry.of(Kind.MEMBER).isEmpty()
                                ? Optional.of("no disk that it may take is free")
                                : Optional.<String>empty();
        return why.map(
                text ->
                        cut(
                                subject(entry)
                                        + " takes nothing on node %s: %s"
                                                .formatted(entry.node(), text)));
    }

    private static Stream<String> unknown(List<ClassOnNode> preview) {
        Map<String, Integer> nodes = new LinkedHashMap<>();
        preview.stream()
                .filter(entry -> !entry.known())
                .forEach(entry -> nodes.merge(subject(entry), 1, Integer::sum));
        return nodes.entrySet().stream()
                .map(
                        entry ->
                                ("%s: no node agent has looked at the disks of %d node%s yet; to"
                                                + " see what it would take there: %s")
                                        .formatted(
                                                entry.getKey(),
                                                entry.getValue(),
                                                entry.getValue() == 1 ? "" : "s",
                                                COMMAND));
    }

    private static String subject(ClassOnNode entry) {
        return "device class \"" + entry.deviceClass() + '"';
    }

    private static String list(String start, List<Disk> disks) {
        var text = new StringBuilder(start);
        int named = 0;
        for (var disk : disks) {
            var next = (named == 0 ? "" : ", ") + text(disk);
            if (named > 0 && text.length() + next.length() > MOST_CHARACTERS - 70) {
                return text + " and %d more: %s".formatted(disks.size() - named, COMMAND);
            }
            text.append(next);
            named++;
        }
        return text.toString();
    }

    private static String text(Disk disk) {
        var content =
                disk.content().isEmpty()
                        ? disk.unknownData() ? ", unknown data" : ""
                        : ", " + disk.content();
        return "%s (%s%s)".formatted(disk.name(), SizeRules.text(disk.sizeBytes()), content);
    }

    private static String cut(String text) {
        return text.length() <= MOST_CHARACTERS
                ? text
                : text.substring(0, MOST_CHARACTERS - 3) + "...";
    }
}
