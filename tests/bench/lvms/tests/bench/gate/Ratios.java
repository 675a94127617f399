package lvms.tests.bench.gate;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a benchmark hands over for the gate, besides its table: what ours took over what the peer,
 * plain LVM or Kubernetes alone took in the same run; or MiB, which hardly depend on what else the
 * machine does. Of all of them, less is better.
 */
public final class Ratios {
    /** A file for each group. */
    static final Path FOLDER = Path.of("out/bench/ratios");

    /** What is beyond is noise. */
    private static final MathContext DIGITS = new MathContext(3);

    private final String group;
    private final Map<String, BigDecimal> values = new LinkedHashMap<>();

    private Ratios(String group) {
        this.group = group;
    }

    /**
     * Begins a group: ratios that are all measured on a machine, or none of them.
     *
     * @param group name of its file
     */
    public static Ratios of(String group) {
        return new Ratios(group);
    }

    /** Adds one; the name says what is over what. */
    public Ratios add(String name, double value) {
        if (!Double.isFinite(value) || value <= 0) {
            throw new IllegalArgumentException(group + ": " + name + " cannot be " + value);
        }
        if (values.put(name, rounded(value)) != null) {
            throw new IllegalArgumentException(group + ": " + name + " is there twice");
        }
        return this;
    }

    private static BigDecimal rounded(double value) {
        var rounded = new BigDecimal(value).round(DIGITS);
        int more = DIGITS.getPrecision() - rounded.precision(); // 0.5 is 0.500
        return rounded.setScale(Math.max(0, rounded.scale() + more));
    }

    /** Writes all of them, in the place of those of an earlier run. */
    public void write() throws IOException {
        write(FOLDER);
    }

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(
                folder.resolve(group + ".tsv"),
                values.entrySet().stream()
                        .map(e -> e.getKey() + "\t" + e.getValue().toPlainString() + "\n")
                        .collect(Collectors.joining()));
    }
}
