package lvms.tests.runner;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the test command was asked for.
 *
 * @param layers in the order they run
 * @param parts of the names of classes that run; empty: all run
 * @param withoutParts parts of the names of classes that do not run
 * @param server the API server that the integration tests meet
 * @param marked only tests that depend on the version of Kubernetes
 * @param full also the long tests
 * @param share what of each layer runs
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
        ServerChoice server,
        boolean marked,
        boolean full,
        Share share,
        String focus,
        String lvm,
        boolean requireAll,
        int minutes,
        int lanes,
        int repeat,
        int load) {
    /** What runs without {@code --layer}; the others are asked for by name. */
    static final List<String> LAYERS = List.of("unit", "integration", "image", "lab");

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

    /** Returns about how long a class runs, in seconds. */
    int seconds(TestClass testClass) {
        return testClass.seconds(full);
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

    static Options parse(List<String> words, ServerChoice.Newest newest) throws UsageException {
        return new Parser(newest).parse(words.iterator());
    }

    private static final class Parser {
        private final ServerChoice.Newest newest;
        private final List<String> parts = new ArrayList<>();
        private final List<String> withoutParts = new ArrayList<>();
        private final List<String> layers = new ArrayList<>();
        private String apiServer = "";
        private boolean marked;
        private boolean full;
        private Share share = Share.ALL;
        private String focus = "";
        private String lvm = MACHINE;
        private boolean requireAll;
        private int minutes;
        private int lanes = Math.min(2, Runtime.getRuntime().availableProcessors());
        private int repeat = 1;
        private int load;

        Parser(ServerChoice.Newest newest) {
            this.newest = newest;
        }

        Options parse(Iterator<String> words) throws UsageException {
            while (words.hasNext()) {
                take(words.next(), words);
            }
            if (!apiServer.isEmpty() && !layers.isEmpty() && !layers.contains(INTEGRATION)) {
                throw new UsageException("--apiserver is for the layer integration alone");
            }
            if (!focus.isEmpty() && !layers.equals(List.of(E2E))) {
                throw new UsageException("--focus is for the layer e2e alone");
            }
            if (!lvm.equals(MACHINE) && !layers.isEmpty() && !layers.equals(List.of(LAB))) {
                throw new UsageException("--lvm is for the layer lab alone");
            }
            if (!share.equals(Share.ALL) && !full) {
                throw new UsageException("--part is for --full alone");
            }
            return new Options(
                    layers(),
                    List.copyOf(parts),
                    List.copyOf(withoutParts),
                    ServerChoice.of(apiServer, requireAll, newest),
                    marked,
                    full,
                    share,
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
                case "--part" -> share = Share.parse(word, value(word, rest));
                case "--focus" -> focus = value(word, rest);
                case "--lvm" -> lvm = lvm(value(word, rest));
                case "--marked" -> marked = true;
                case "--without" -> withoutParts.add(value(word, rest));
                case "--require-all" -> requireAll = true;
                case "--within" -> minutes = number(word, value(word, rest), 1, 1_000);
                case "--layer" -> layers.add(layer(value(word, rest)));
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
            if (layers.isEmpty()) {
                return apiServer.isEmpty() ? LAYERS : List.of(INTEGRATION);
            }
            return Stream.concat(LAYERS.stream(), ASKED_FOR.stream())
                    .filter(layers::contains)
                    .toList();
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
