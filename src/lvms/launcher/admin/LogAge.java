package lvms.launcher.admin;

import lvms.k8s.object.Times;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** From when on logs are wanted. */
final class LogAge {
    private static final Pattern AGE =
            Pattern.compile("(?:(\\d{1,5})h)?(?:(\\d{1,5})m)?(?:(\\d{1,7})s)?");
    private static final Variable AGE_OF_LOGS =
            new Variable("MUST_GATHER_SINCE", false, "age of the oldest lines of logs: 2h30m");
    private static final Variable TIME_OF_LOGS =
            new Variable("MUST_GATHER_SINCE_TIME", false, "logs from this time on, RFC 3339");

    static final List<Variable> VARIABLES = List.of(AGE_OF_LOGS, TIME_OF_LOGS);

    private LogAge() {}

    /** Returns from when on logs are wanted; the flag counts before the variables. */
    static Optional<Instant> since(String flag, Map<String, String> variables, Instant now)
            throws UsageException {
        var age = flag.isEmpty() ? variables.getOrDefault(AGE_OF_LOGS.name(), "") : flag;
        if (!age.isEmpty()) {
            return Optional.of(now.minus(age(age)));
        }
        var time = variables.getOrDefault(TIME_OF_LOGS.name(), "");
        if (time.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                Times.read(time)
                        .orElseThrow(
                                () ->
                                        new UsageException(
                                                TIME_OF_LOGS.name()
                                                        + "="
                                                        + time
                                                        + ": not a time")));
    }

    private static Duration age(String text) throws UsageException {
        var parts = AGE.matcher(text);
        if (!parts.matches()) {
            throw new UsageException("age of logs " + text + ": must be such as 2h30m, 10m or 90s");
        }
        return Duration.ofHours(number(parts.group(1)))
                .plusMinutes(number(parts.group(2)))
                .plusSeconds(number(parts.group(3)));
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
