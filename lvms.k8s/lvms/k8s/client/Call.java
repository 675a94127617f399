package lvms.k8s.client;

/**
 * One request, which may be sent more than once.
 *
 * @param verb name of the API verb, for messages and metrics
 * @param method HTTP method
 * @param path path and query, below the server's base URL
 * @param body body, null for none
 * @param contentType type of the body
 * @param repeat what may be sent again after a failure
 * @param gzip whether to ask for a compressed answer
 * @param subject what it is about, for messages: {@code pods default/a}
 */
record Call(
        String verb,
        String method,
        String path,
        byte[] body,
        String contentType,
        Repeat repeat,
        boolean gzip,
        String subject) {
    private static final byte[] NO_BODY = null;

    /** What may be sent again when it is not known whether the server acted. */
    enum Repeat {
        /** It only reads. */
        READ,
        /** Sending it again changes nothing more. */
        IDEMPOTENT,
        /** Send it again only if the server certainly did not act. */
        NEVER
    }

    static Call read(String verb, String path, String subject) {
        return new Call(verb, "GET", path, NO_BODY, "", Repeat.READ, false, subject);
    }

    static Call list(String path, String subject) {
        return new Call("list", "GET", path, NO_BODY, "", Repeat.READ, true, subject);
    }

    static Call write(
            String verb,
            String method,
            String path,
            byte[] body,
            String contentType,
            Repeat repeat,
            String subject) {
        return new Call(verb, method, path, body, contentType, repeat, false, subject);
    }

    /** Returns what was tried, for messages. */
    String action() {
        return verb + " " + subject;
    }
}
