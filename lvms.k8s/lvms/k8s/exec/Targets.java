package lvms.k8s.exec;

import lvms.k8s.object.PercentEncoding;

import java.util.List;

/** Subresources of pods that are streams, with their queries. */
final class Targets {
    private Targets() {}

    static String exec(String container, List<String> command, boolean stdin) {
        var target = new StringBuilder("exec").append(streams(container, stdin));
        for (var word : command) {
            target.append("&command=").append(PercentEncoding.of(word));
        }
        return target.toString();
    }

    static String attach(String container, boolean stdin) {
        return "attach" + streams(container, stdin);
    }

    private static String streams(String container, boolean stdin) {
        return "?container="
                + PercentEncoding.of(container)
                + "&stdout=true&stderr=true"
                + (stdin ? "&stdin=true" : "");
    }
}
