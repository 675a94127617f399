package lvms.k8s.serving;

import lvms.k8s.client.ApiException;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Answers that count for a while, by what was asked. It keeps a digest of the question, which may
 * hold a token. Any thread may use it.
 *
 * @param <T> type of the answers
 */
final class Memory<T> {
    private static final int MOST = 1_000;

    private final Function<T, Duration> lifetimes;
    private final Map<String, Known<T>> answers =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Known<T>> eldest) {
                    return size() > MOST;
                }
            };

    private record Known<T>(T answer, long untilNanos) {}

    /** Asks the API server. */
    interface Question<T> {
        T ask() throws ApiException, InterruptedException;
    }

    Memory(Function<T, Duration> lifetimes) {
        this.lifetimes = lifetimes;
    }

    T get(String asked, Question<T> question) throws ApiException, InterruptedException {
        var digest = digest(asked);
        synchronized (answers) {
            var known = answers.get(digest);
            if (known != null && known.untilNanos - System.nanoTime() > 0) {
                return known.answer;
            }
            answers.remove(digest);
        }
        var answer = question.ask();
        long until = System.nanoTime() + lifetimes.apply(answer).toNanos();
        synchronized (answers) {
            answers.put(digest, new Known<>(answer, until));
        }
        return answer;
    }

    private static String digest(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            var bytes = digest.digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
