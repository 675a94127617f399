package lvms.tests.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A processor of this machine. User-Mode Linux runs a guest's programs and its kernel in different
 * processes, and each system call of the guest switches between them: on one processor that costs a
 * third of what it costs between two, where an idle one has to be woken. A guest uses one anyway.
 *
 * @param number as the kernel counts it
 */
record Processor(int number) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";

    /** Returns one of those that this process may use; the next number has the next one. */
    static Processor of(int number) throws IOException {
        var allowed = allowed(Files.readAllLines(STATUS));
        return new Processor(allowed.get(number % allowed.size()));
    }

    static List<Integer> allowed(List<String> status) {
        var list =
                status.stream()
                        .filter(line -> line.startsWith(ALLOWED))
                        .map(line -> line.substring(ALLOWED.length()).strip())
                        .findFirst()
                        .orElseThrow();
        var numbers = new ArrayList<Integer>();
        for (var range : list.split(",")) {
            var ends = range.split("-");
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int n = Integer.parseInt(ends[0]); n <= last; n++) {
                numbers.add(n);
            }
        }
        return numbers;
    }

    /** Returns the words in front of a command that let it run nowhere else. */
    List<String> only() {
        return List.of("taskset", "--cpu-list", Integer.toString(number));
    }
}
