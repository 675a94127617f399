package lvms.launcher.admin;

import lvms.launcher.flag.UsageException;

import java.time.Duration;

/** How long something has been, in days or hours. */
final class Age {
    /** A wrong unit must not take what was released while somebody moves it. */
    private static final Duration SHORTEST = Duration.ofHours(1);

    private Age() {}

    /**
     * Reads the value of a flag.
     *
     * @param flag its name, for the message
     */
    static Duration of(String flag, String text) throws UsageException {
        var about = "flag --" + flag + "=" + text + ": ";
        if (!text.matches("\\d{1,5}[dh]")) {
            throw new UsageException(about + "must be days or hours, such as 30d or 12h");
        }
        long number = Long.parseLong(text.substring(0, text.length() - 1));
        var age = text.endsWith("d") ? Duration.ofDays(number) : Duration.ofHours(number);
        if (age.compareTo(SHORTEST) < 0) {
            throw new UsageException(about + "must be 1h at least");
        }
        return age;
    }
}
