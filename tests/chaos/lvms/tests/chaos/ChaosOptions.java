package lvms.tests.chaos;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * How long, and with what luck.
 *
 * @param time no work or harm begins after that, the start of the cluster included
 * @param operations no work begins after so many, those of earlier runs included
 * @param seed what is done in which order; empty: another one each time
 * @param resume go on with the seed and the sums of the run before
 */
record ChaosOptions(Duration time, long operations, Optional<Long> seed, boolean resume) {
    private static final Duration DEFAULT_TIME = Duration.ofMinutes(10);
    private static final String USAGE =
            "usage: ./build.sh chaos [--minutes N] [--operations N] [--seed N | --resume]";

    static ChaosOptions of(String... words) {
        var options = new ChaosOptions(DEFAULT_TIME, Long.MAX_VALUE, Optional.empty(), false);
        var left = List.of(words).iterator();
        while (left.hasNext()) {
            var word = left.next();
            options =
                    switch (word) {
                        case "--minutes" -> options.time(Duration.ofMinutes(number(word, left)));
                        case "--operations" -> options.operations(number(word, left));
                        case "--seed" -> options.seed(number(word, left));
                        case "--resume" -> options.resumed();
                        default ->
                                throw new IllegalArgumentException(
                                        "unknown option " + word + "; " + USAGE);
                    };
        }
        if (options.resume && options.seed.isPresent()) {
            throw new IllegalArgumentException(
                    "--resume goes on with the seed of the run before; " + USAGE);
        }
        return options;
    }

    private static long number(String option, Iterator<String> left) {
        var word = left.hasNext() ? left.next() : "";
        if (!word.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException(option + " needs a number; " + USAGE);
        }
        return Long.parseLong(word);
    }

    private ChaosOptions time(Duration limit) {
        return new ChaosOptions(limit, operations, seed, resume);
    }

    private ChaosOptions operations(long limit) {
        return new ChaosOptions(time, limit, seed, resume);
    }

    private ChaosOptions seed(long chosen) {
        return new ChaosOptions(time, operations, Optional.of(chosen), resume);
    }

    private ChaosOptions resumed() {
        return new ChaosOptions(time, operations, seed, true);
    }
}
