/**
 * How a process logs: what the flags ask for, and what an annotation changes while it runs.
 *
 * <p>Begin with {@link lvms.log.LogSettings}, a value that is read from words and knows no logger.
 * {@link lvms.log.Logging} brings it into force in {@code java.util.logging}, which the rest of the
 * product reaches through {@code System.Logger}; {@link lvms.log.LogFormatter} writes the lines.
 *
 * <pre>{@code
 * var logging = Logging.start(LogSettings.DEFAULT.level(LogWords.level("debug")));
 * logging.follow(Map.of("lvms.topolvm.io/log-format", "json"));
 * logging.follow(Map.of()); // as the flags say
 * }</pre>
 */
package lvms.log;
