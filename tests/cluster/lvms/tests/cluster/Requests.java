package lvms.tests.cluster;

import lvms.tests.lab.machine.CommandResult;

import java.io.IOException;
import java.util.List;

/** Carries requests to a cluster, in this process or in another one. */
@FunctionalInterface
interface Requests {
    /** Sends the words of a request and returns the answer, whatever its status. */
    CommandResult ask(List<String> words) throws IOException;

    /** Sends a request that must succeed and returns its output without white space around it. */
    default String require(String... words) throws IOException {
        var request = List.of(words);
        return ask(request).require(String.join(" ", request));
    }
}
