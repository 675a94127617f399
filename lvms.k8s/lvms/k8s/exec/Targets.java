package lvms.k8s.exec;

import lvms.k8s.object.PercentEncoding;

import java.util.List;

/** Subresources of pods that are streams, with their queries. */
final class Targets {
    private Targets() {}

    static String exec(String container, List<String> command, boolean stdin) {
        return exec(streams(container, stdin), command);
    }

    static String terminal(String container, List<String> command) {
        return exec(terminal(container), command);
    }

    private static String exec(String streams, List<String> command) {
        var target = new StringBuilder("exec").append(streams);
        for (var word : command) {
            target.append("&command=").append(PercentEncoding.of(word));
        }
        return target.toString();
    }

    static String attach(String container, boolean stdin) {
        return "attach" + streams(container, stdin);
    }

    static String attachTerminal(String container) {
        return "attach" + terminal(container);
    }

    /** A terminal has one output. */
    private static String terminal(String container) {
        return "?container=" + PercentEncoding.of(container) + "&stdout=true&stdin=true&tty=true";
    }

    private static String streams(String container, boolean stdin) {
        return "?container="
                + PercentEncoding.of(container)
                + "&stdout=true&stderr=true"
                + (stdin ? "&stdin=true" : "");
    }
}
