package lvms.k8s.serving;

import java.util.Map;
import java.util.Optional;

/**
 * A request.
 *
 * @param client IP address of the other end of the connection, as text
 * @param path decoded, without the query
 * @param query decoded; empty if there is none
 * @param headers by lower-case name; of several with one name, the first
 * @param last whether the client sends no other on this connection
 */
public record HttpRequest(
        String client,
        String method,
        String path,
        Optional<String> query,
        Map<String, String> headers,
        byte[] body,
        boolean last) {
    public HttpRequest {
        headers = Map.copyOf(headers);
    }

    public Optional<String> header(String lowerCaseName) {
        return Optional.ofNullable(headers.get(lowerCaseName));
    }
}
