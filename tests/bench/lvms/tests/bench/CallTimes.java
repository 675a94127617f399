package lvms.tests.bench;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** Times of equal calls, one after the other. */
record CallTimes(double[] sortedMillis) {
    static CallTimes of(int count, Callable<?> call) throws Exception {
        return inTurn(count, List.of(call)).getFirst();
    }

    /** Times several calls in turn, so that whatever else the machine does meets all of them. */
    static List<CallTimes> inTurn(int count, List<Callable<?>> calls) throws Exception {
        var millis = new double[calls.size()][count];
        for (int i = -count / 5; i < count; i++) { // the first ones are not measured
            for (int call = 0; call < calls.size(); call++) {
                long start = System.nanoTime();
                calls.get(call).call();
                if (i >= 0) {
                    millis[call][i] = (System.nanoTime() - start) / 1e6;
                }
            }
        }
        for (var times : millis) {
            Arrays.sort(times);
        }
        return IntStream.range(0, calls.size()).mapToObj(i -> new CallTimes(millis[i])).toList();
    }

    double median() {
        return sortedMillis[sortedMillis.length / 2];
    }

    @Override
    public String toString() {
        return "p50 %.1f ms, p99 %.1f ms"
                .formatted(median(), sortedMillis[sortedMillis.length * 99 / 100]);
    }
}
