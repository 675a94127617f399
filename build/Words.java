import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Words that messages, logs, help and docs do not use. Those that are left from earlier are counted
 * for each file; of none there may be more.
 */
final class Words {
    private static final Path TABLE = Path.of("build/words.tsv");
    private static final Path LEFT = Path.of("build/words-left.tsv");
    private static final String HEAD =
            """
            # How often each word of words.tsv is still used, by file. Written by ./build.sh fmt, \
            which never raises a sum.
            # If two branches changed the same line, take either, then run ./build.sh fmt.
            """;

    private final Map<String, Word> table = new LinkedHashMap<>();

    /** The number that is left of each word, by file and word. */
    private final SortedMap<Key, Integer> left = new TreeMap<>();

    private final SortedMap<Key, List<Place>> places = new TreeMap<>();
    private final List<String> errors = new ArrayList<>();

    private record Word(String name, Pattern pattern, String instead) {}

    private record Place(int line, String found) {}

    private record Key(String file, String word) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int files = file.compareTo(other.file);
            return files != 0 ? files : word.compareTo(other.word);
        }
    }

    private Words() {}

    static Words read() throws IOException {
        var words = new Words();
        words.readRows(TABLE, words::addWord);
        if (Files.exists(LEFT)) {
            words.readRows(LEFT, words::addLeft);
        }
        return words;
    }

    private interface RowReader {
        void read(String[] columns);
    }

    private void readRows(Path file, RowReader reader) throws IOException {
        int number = 0;
        for (var line : Files.readAllLines(file)) {
            number++;
            if (line.startsWith("#") || line.isBlank()) {
                continue;
            }
            try {
                reader.read(line.split("\t", -1));
            } catch (IllegalArgumentException e) {
                errors.add(file + ":" + number + ": " + e.getMessage().replace('\n', ' '));
            }
        }
    }

    private void addWord(String[] columns) {
        if (columns.length != 3 || columns[2].isBlank()) {
            throw new IllegalArgumentException(
                    "expected a word, its pattern and what to write instead, with tabs between");
        }
        var pattern = "(?<!\\w)(?:" + columns[1].replace(" ", "\\s+") + ")(?!\\w)";
        try {
            var word =
                    new Word(
                            columns[0],
                            Pattern.compile(pattern, Pattern.CASE_INSENSITIVE),
                            columns[2]);
            if (table.putIfAbsent(word.name(), word) != null) {
                throw new IllegalArgumentException(word.name() + " occurs twice");
            }
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("the pattern is wrong: " + e.getDescription(), e);
        }
    }

    private void addLeft(String[] columns) {
        if (columns.length != 3 || !columns[2].matches("[1-9][0-9]{0,5}")) {
            throw new IllegalArgumentException(
                    "expected a file, a word and a number, with tabs between");
        }
        var key = new Key(columns[0], columns[1]);
        if (left.putIfAbsent(key, Integer.valueOf(columns[2])) != null) {
            throw new IllegalArgumentException(
                    key.file() + " and " + key.word() + " occur twice: remove one of the lines");
        }
    }

    /** Notes each place of a text at which a word of the table is. */
    void look(Path file, Passage passage) {
        for (var word : table.values()) {
            var found = word.pattern().matcher(passage.text());
            while (found.find()) {
                places.computeIfAbsent(
                                new Key(file.toString(), word.name()), _ -> new ArrayList<>())
                        .add(new Place(passage.lineAt(found.start()), found.group()));
            }
        }
    }

    /** What is wrong: words of which there are more than before, or a count that is not true. */
    List<String> findings() throws IOException {
        if (!errors.isEmpty()) {
            return errors;
        }
        var findings = new ArrayList<String>();
        for (var word : table.values()) {
            if (rose(word.name())) {
                findings.addAll(placesOf(word));
            }
        }
        if (findings.isEmpty() && !text(counts()).equals(present())) {
            findings.add(
                    LEFT + ": fewer words are left, or in other files: ./build.sh fmt writes it");
        }
        return findings;
    }

    private boolean rose(String word) {
        return sum(counts(), word) > sum(left, word);
    }

    private static int sum(Map<Key, Integer> counts, String word) {
        return counts.entrySet().stream()
                .filter(count -> count.getKey().word().equals(word))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /** The places in files that have more of a word than before: the new ones are among them. */
    private List<String> placesOf(Word word) {
        var lines = new ArrayList<String>();
        places.forEach(
                (key, found) -> {
                    int before = left.getOrDefault(key, 0);
                    if (!key.word().equals(word.name()) || found.size() <= before) {
                        return;
                    }
                    for (var place : found) {
                        lines.add(
                                "%s:%d: \"%s\": write %s (%d of these here, %d before)"
                                        .formatted(
                                                key.file(),
                                                place.line(),
                                                place.found().replaceAll("\\s+", " "),
                                                word.instead(),
                                                found.size(),
                                                before));
                    }
                });
        return lines;
    }

    private SortedMap<Key, Integer> counts() {
        var counts = new TreeMap<Key, Integer>();
        places.forEach((key, found) -> counts.put(key, found.size()));
        return counts;
    }

    private static String present() throws IOException {
        return Files.exists(LEFT) ? Files.readString(LEFT) : text(new TreeMap<>());
    }

    private static String text(SortedMap<Key, Integer> counts) {
        var text = new StringBuilder(HEAD);
        counts.forEach(
                (key, count) -> text.append(key.file() + "\t" + key.word() + "\t" + count + "\n"));
        return text.toString();
    }

    /** Writes the counts of all words but those of which there are more than before. */
    List<String> lower() throws IOException {
        if (!errors.isEmpty()) {
            return errors;
        }
        var counts = counts();
        for (var word : table.keySet()) {
            if (rose(word)) {
                counts.keySet().removeIf(key -> key.word().equals(word));
                left.forEach(
                        (key, count) -> {
                            if (key.word().equals(word)) {
                                counts.put(key, count);
                            }
                        });
            }
        }
        if (!text(counts).equals(present())) {
            Files.writeString(LEFT, text(counts));
        }
        return List.of();
    }
}
