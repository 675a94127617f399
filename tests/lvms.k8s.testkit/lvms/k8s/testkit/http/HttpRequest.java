package lvms.k8s.testkit.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One request.
 *
 * @param path decoded segments of the path, without empty ones
 * @param rawPath the path as sent
 * @param query decoded parameters, in the order sent
 * @param headers by lower-case name; the last value wins
 */
public record HttpRequest(
        String method,
        List<String> path,
        String rawPath,
        Map<String, List<String>> query,
        Map<String, String> headers,
        byte[] body) {

    static HttpRequest of(String method, String target, Map<String, String> headers, byte[] body) {
        int mark = target.indexOf('?');
        var rawPath = mark < 0 ? target : target.substring(0, mark);
        var query = mark < 0 ? "" : target.substring(mark + 1);
        var segments = new ArrayList<String>();
        for (var segment : rawPath.split("/")) {
            if (!segment.isEmpty()) {
                segments.add(decode(segment.replace("+", "%2B")));
            }
        }
        return new HttpRequest(
                method, List.copyOf(segments), rawPath, parameters(query), headers, body);
    }

    /** The value of a parameter, empty text when it is absent. */
    public String parameter(String name) {
        var values = query.get(name);
        return values == null ? "" : values.getFirst();
    }

    /** Whether a boolean parameter is on ({@code true} or {@code 1}). */
    public boolean flag(String name) {
        var value = parameter(name);
        return value.equals("true") || value.equals("1");
    }

    /** A header by any spelling of its name. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    private static Map<String, List<String>> parameters(String query) {
        var result = new LinkedHashMap<String, List<String>>();
        for (var pair : query.split("&")) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                var name = decode(equals < 0 ? pair : pair.substring(0, equals));
                var value = equals < 0 ? "" : decode(pair.substring(equals + 1));
                result.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
            }
        }
        return result;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
