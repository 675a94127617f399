package lvms.k8s.metrics;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/** How often something happened and what it took together, as somebody else counts it. */
public final class Summary {
    private volatile LongSupplier count = () -> 0;
    private volatile DoubleSupplier sum = () -> 0;

    Summary() {}

    /** Makes the summary read its count and its sum there whenever it is read. */
    public void from(LongSupplier count, DoubleSupplier sum) {
        this.count = count;
        this.sum = sum;
    }

    long count() {
        return count.getAsLong();
    }

    double sum() {
        return sum.getAsDouble();
    }
}
