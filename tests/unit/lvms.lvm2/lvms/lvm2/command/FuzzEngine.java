package lvms.lvm2.command;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.lvm2.engine.Command;
import lvms.lvm2.engine.Engine;
import lvms.lvm2.engine.Reply;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Records the commands it is given and answers as LVM might: that there is no such thing, or with a
 * row of the columns that were asked for.
 */
final class FuzzEngine implements Engine {
    private static final List<String> NUMBERS = List.of("1048576", "1048576", "0", "");
    private static final Map<String, List<String>> VALUES =
            Map.ofEntries(
                    Map.entry(
                            "lv_attr",
                            List.of(
                                    "Vwi-a-tz--",
                                    "twi-a-tz--",
                                    "twi---tz--",
                                    "-wi-a-----",
                                    "rwi-a-r---",
                                    "rwi-a-r-p-",
                                    "owi-aos---",
                                    "swi-a-s---")),
                    Map.entry("vg_attr", List.of("wz--n-", "wzx-n-")),
                    Map.entry("pv_attr", List.of("a--", "---", "a-m")),
                    Map.entry("pv_fmt", List.of("lvm2")),
                    Map.entry("lv_path", List.of("/dev/answered/volume")),
                    Map.entry("pool_lv", List.of("answeredpool")),
                    Map.entry("origin", List.of("answeredorigin", "")),
                    Map.entry("segtype", List.of("linear", "raid1", "thin-pool")),
                    Map.entry("lv_layout", List.of("linear", "raid,raid1", "thin,pool")),
                    Map.entry("devices", List.of("/dev/answered(0)", "[unknown](0)")),
                    Map.entry("zero", List.of("zero")),
                    Map.entry("vg_extent_size", List.of("4194304")),
                    Map.entry("pvseg_size", List.of("1", "100")), // never none
                    Map.entry("vg_tags", List.of("answered")),
                    Map.entry("lv_tags", List.of("answered")));

    private final List<List<String>> commands = new ArrayList<>();
    private final List<List<String>> changes = new ArrayList<>();
    private final Random random;
    private String device = "/dev/answered";
    private String volume = "volume";

    FuzzEngine(long seed) {
        random = new Random(seed);
    }

    List<List<String>> commands() {
        return commands;
    }

    List<List<String>> changes() {
        return changes;
    }

    /** The next answers name this device and this volume, until others are asked for. */
    void holds(String path, Object[] given) {
        device = path;
        for (var argument : given) {
            var name = argument instanceof Identity<?> identity ? identity.name() : argument;
            volume = name instanceof LvName lv ? lv.lv() : volume;
        }
    }

    void forget() {
        commands.clear();
        changes.clear();
        device = "/dev/answered";
    }

    @Override
    public Reply run(Command command) {
        commands.add(command.words());
        if (command.effect() != Command.Effect.READ) {
            changes.add(command.words());
            return new Reply(0, "", "");
        }
        return random.nextInt(5) == 0
                ? new Reply(5, "{\"log\":[]}", "  Failed to find it.")
                : new Reply(0, report(command.words()), "");
    }

    private String report(List<String> words) {
        var last = words.getLast();
        boolean path = last.startsWith("/dev/");
        device = path ? last.replace(':', '_') : device;
        var what = (path ? "answered" : last).split("/", 2);
        var names = new HashMap<String, String>();
        names.put("vg_name", json(what[0]));
        names.put("lv_name", json(what.length > 1 ? what[1] : volume));
        names.put("pv_name", device);
        names.put("move_pv", device);
        var sections = new ArrayList<String>();
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).equals("-o")) {
                boolean full = words.getFirst().equals("fullreport");
                var section = full ? words.get(i - 1) : words.getFirst().replaceAll("s$", "");
                var columns = List.of(words.get(i + 1).split(","));
                var rows = new ArrayList<String>();
                if (random.nextInt(6) > 0) {
                    rows.add(row(columns, names));
                    names.put("lv_name", "[" + names.get("lv_name") + "_rimage_0]");
                }
                if (words.contains("-a")) { // hidden ones too
                    rows.add(row(columns, names));
                }
                sections.add("\"" + section + "\":[" + String.join(",", rows) + "]");
            }
        }
        return "{\"report\":[{" + String.join(",", sections) + "}]}";
    }

    private String row(List<String> columns, Map<String, String> names) {
        return columns.stream()
                .map(column -> '"' + column + "\":\"" + value(column, names) + '"')
                .collect(Collectors.joining(",", "{", "}"));
    }

    private String value(String column, Map<String, String> names) {
        boolean empty = column.matches(".*(health_status|action|lock|system|missing|duplicate).*");
        if (column.endsWith("_uuid")) {
            return FuzzArguments.UUID;
        }
        return names.getOrDefault(column, empty ? "" : one(VALUES.getOrDefault(column, NUMBERS)));
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static String json(String text) {
        return text.replaceAll("[^a-zA-Z0-9+_.-]", "_");
    }

    @Override
    public EngineStatus status() {
        return new EngineStatus(EngineStatus.Kind.WORKER, "records", "2.03.16(2) (2022-05-18)");
    }

    @Override
    public void close() {}
}
