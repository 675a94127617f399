package lvms.lvm2.report;

import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;

import lvms.lvm2.engine.Reply;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a command printed, in LVM's JSON: rows of its reports by section, and the errors of its
 * command log. Read token by token, since LVM may print a key twice in one row (the last one wins),
 * a comma too many (2.03.16 with its default log selection), and keys that nobody asked for.
 *
 * @param sections rows by section name ({@code vg}, {@code pv}, {@code lv}, {@code seg}), for each
 *     element of {@code report}
 * @param errors messages of log type error, in order
 * @param warnings messages of log type warn, in order
 */
public record CommandOutput(
        List<Map<String, List<Map<String, String>>>> sections,
        List<String> errors,
        List<String> warnings) {
    private static final String WARNING = "WARNING";

    /** Reads the reply of a command; ignores text around the JSON. */
    public static CommandOutput of(Reply reply) {
        int start = reply.stdout().indexOf('{');
        if (start < 0) {
            return withoutLog(reply);
        }
        var sections = new ArrayList<Map<String, List<Map<String, String>>>>();
        var errors = new ArrayList<String>();
        var warnings = warningsOf(reply);
        try (var reader = new JsonReader(new StringReader(reply.stdout().substring(start)))) {
            reader.setStrictness(Strictness.LENIENT);
            read(reader, sections, errors, warnings);
        } catch (IOException | IllegalStateException | JsonParseException e) {
            throw new IllegalArgumentException("not the JSON of LVM: " + e.getMessage(), e);
        }
        return new CommandOutput(sections, errors.isEmpty() ? linesOf(reply) : errors, warnings);
    }

    /** Reads the reply of a report, which has JSON even if nothing is found. */
    public static CommandOutput ofReport(Reply reply) {
        if (reply.stdout().indexOf('{') < 0) {
            throw new IllegalArgumentException("a report without JSON");
        }
        return of(reply);
    }

    /** What is known about a reply whose JSON cannot be read. */
    public static CommandOutput withoutLog(Reply reply) {
        return new CommandOutput(List.of(), linesOf(reply), warningsOf(reply));
    }

    public List<Map<String, String>> rows(String section) {
        return sections.stream()
                .flatMap(report -> report.getOrDefault(section, List.of()).stream())
                .toList();
    }

    /** Errors that could not be logged: those of getopt, or of a failed start. */
    private static List<String> linesOf(Reply reply) {
        return reply.status() == 0
                ? List.of()
                : reply.stderr()
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.startsWith(WARNING))
                        .toList();
    }

    /** Warnings that are not in the log, for example because there is no log. */
    private static List<String> warningsOf(Reply reply) {
        return reply.stderr()
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith(WARNING))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static void read(
            JsonReader reader,
            List<Map<String, List<Map<String, String>>>> sections,
            List<String> errors,
            List<String> warnings)
            throws IOException {
        reader.beginObject();
        while (reader.hasNext()) {
            switch (reader.nextName()) {
                case "report" -> readReports(reader, sections);
                case "log" -> {
                    for (var row : readRows(reader)) {
                        var message = row.getOrDefault("log_message", "");
                        switch (row.getOrDefault("log_type", "")) {
                            case "error" -> errors.add(message);
                            case "warn" -> warnings.add(message);
                            default -> {} // messages about its progress
                        }
                    }
                }
                default -> reader.skipValue();
            }
        }
        reader.endObject();
    }

    private static void readReports(
            JsonReader reader, List<Map<String, List<Map<String, String>>>> sections)
            throws IOException {
        reader.beginArray();
        while (reader.hasNext()) {
            var report = new HashMap<String, List<Map<String, String>>>();
            reader.beginObject();
            while (reader.hasNext()) {
                report.put(reader.nextName(), readRows(reader));
            }
            reader.endObject();
            sections.add(report);
        }
        reader.endArray();
    }

    private static List<Map<String, String>> readRows(JsonReader reader) throws IOException {
        var rows = new ArrayList<Map<String, String>>();
        reader.beginArray();
        while (reader.hasNext()) {
            if (reader.peek() == JsonToken.NULL) {
                reader.nextNull(); // what a lenient reader makes of a comma too many
            } else {
                rows.add(readRow(reader));
            }
        }
        reader.endArray();
        return rows;
    }

    private static Map<String, String> readRow(JsonReader reader) throws IOException {
        var row = new HashMap<String, String>();
        reader.beginObject();
        while (reader.hasNext()) {
            var name = reader.nextName();
            if (reader.peek() == JsonToken.STRING || reader.peek() == JsonToken.NUMBER) {
                row.put(name, reader.nextString());
            } else {
                reader.skipValue();
                row.put(name, "");
            }
        }
        reader.endObject();
        return row;
    }
}
