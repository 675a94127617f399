package lvms.tests.runner;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * What the test command was asked for.
 *
 * @param layers in the order they run
 * @param parts of the names of classes that run; empty: all run
 * @param withoutParts parts of the names of classes that do not run
 * @param apiServer {@code ours}, or the version of a real one that the integration tests meet
 * @param marked only tests that depend on the version of Kubernetes
 * @param full also the long tests
 * @param focus of Kubernetes' own suite, only what matches this expression; empty: all
 * @param lvm whose LVM the lab's nodes have: {@code machine} or {@code image}
 * @param requireAll a layer that cannot run here is a failure
 * @param minutes how long after its start a class may begin; 0: always
 * @param lanes how many suites of a real cluster run side by side
 * @param repeat how often each class runs
 * @param load how many busy loops run beside the tests
 */
record Options(
        List<String> layers,
        List<String> parts,
        List<String> withoutParts,
        String apiServer,
        boolean marked,
        boolean full,
        String focus,
        String lvm,
        boolean requireAll,
        int minutes,
        int lanes,
        int repeat,
        int load) {
    /** What runs without {@code --layer}; the others are asked for by name. */
    static final List<String> LAYERS = List.of("unit", "integration", "image", "lab");

    static final String OURS = "ours";
    private static final String MACHINE = "machine";
    private static final String IMAGE = "image";
    private static final String E2E = "e2e";
    private static final List<String> ASKED_FOR = List.of("conformance", E2E);
    private static final String INTEGRATION = "integration";
    private static final String LAB = "lab";

    /** Whether a class of this name runs. */
    boolean wants(String name) {
        boolean among = parts.isEmpty() || parts.stream().anyMatch(name::contains);
        return among && withoutParts.stream().noneMatch(name::contains);
    }

    boolean realServer() {
        return !apiServer.equals(OURS);
    }

    boolean imagesLvm() {
        return lvm.equals(IMAGE);
    }

    /** Whether each class runs in this JVM, one after the other, so that nothing else disturbs. */
    boolean alone() {
        return lanes < 2 || repeat > 1 || load > 0;
    }

    /**
     * How many classes of the lab run side by side: one more, since each waits half of its time.
     */
    int labLanes() {
        return lanes + 1;
    }

    static Options parse(List<String> words) throws UsageException {
        return new Parser().parse(words.iterator());
    }

    private static final class Parser {
        private final List<String> parts = new ArrayList<>();
        private final List<String> withoutParts = new ArrayList<>();
        private String layer = "";
        private String apiServer = OURS;
        private boolean marked;
        private boolean full;
        private String focus = "";
        private String lvm = MACHINE;
        private boolean requireAll;
        private int minutes;
        private int lanes = Math.min(2, Runtime.getRuntime().availableProcessors());
        private int repeat = 1;
        private int load;

        Options parse(Iterator<String> words) throws UsageException {
            while (words.hasNext()) {
                take(words.next(), words);
            }
            if (!apiServer.equals(OURS) && !layer.isEmpty() && !layer.equals(INTEGRATION)) {
                throw new UsageException("--apiserver is for the layer integration alone");
            }
            if (!focus.isEmpty() && !layer.equals(E2E)) {
                throw new UsageException("--focus is for the layer e2e alone");
            }
            if (!lvm.equals(MACHINE) && !layer.isEmpty() && !layer.equals(LAB)) {
                throw new UsageException("--lvm is for the layer lab alone");
            }
            return new Options(
                    layers(),
                    List.copyOf(parts),
                    List.copyOf(withoutParts),
                    apiServer,
                    marked,
                    full,
                    focus,
                    lvm,
                    requireAll,
                    minutes,
                    lanes,
                    repeat,
                    load);
        }

        private void take(String word, Iterator<String> rest) throws UsageException {
            switch (word) {
                case "--full" -> full = true;
                case "--focus" -> focus = value(word, rest);
                case "--lvm" -> lvm = lvm(value(word, rest));
                case "--marked" -> marked = true;
                case "--without" -> withoutParts.add(value(word, rest));
                case "--require-all" -> requireAll = true;
                case "--within" -> minutes = number(word, value(word, rest), 1, 1_000);
                case "--layer" -> layer = layer(value(word, rest));
                case "--apiserver" -> apiServer = value(word, rest);
                case "--lanes" -> lanes = number(word, value(word, rest), 1, 9);
                case "--repeat" -> repeat = number(word, value(word, rest), 1, 1_000);
                case "--load" -> load = number(word, value(word, rest), 0, 64);
                default -> {
                    if (word.startsWith("-")) {
                        throw new UsageException("unknown option " + word);
                    }
                    parts.add(word);
                }
            }
        }

        private static String lvm(String whose) throws UsageException {
            if (!whose.equals(MACHINE) && !whose.equals(IMAGE)) {
                throw new UsageException("--lvm is machine or image, not " + whose);
            }
            return whose;
        }

        private List<String> layers() {
            if (!layer.isEmpty()) {
                return List.of(layer);
            }
            return apiServer.equals(OURS) ? LAYERS : List.of(INTEGRATION);
        }

        private static String layer(String name) throws UsageException {
            if (!LAYERS.contains(name) && !ASKED_FOR.contains(name)) {
                var names = String.join(", ", LAYERS) + ", " + String.join(", ", ASKED_FOR);
                throw new UsageException("no layer named " + name + ", there are: " + names);
            }
            return name;
        }

        private static String value(String option, Iterator<String> rest) throws UsageException {
            if (!rest.hasNext()) {
                throw new UsageException(option + " needs a value");
            }
            return rest.next();
        }

        private static int number(String option, String text, int least, int most)
                throws UsageException {
            try {
                int number = Integer.parseInt(text);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                throw outside(option, text, least, most);
            }
            throw outside(option, text, least, most);
        }

        private static UsageException outside(String option, String text, int least, int most) {
            return new UsageException(
                    "%s needs a number from %d to %d, not %s".formatted(option, least, most, text));
        }
    }
}
