package lvms.k8s.metrics;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.DoubleSupplier;

/** A number that only rises. Any thread may use it. */
public final class Counter {
    private final DoubleAdder sum = new DoubleAdder();
    private volatile DoubleSupplier source;

    Counter() {}

    /** Adds one. */
    public void increment() {
        sum.add(1);
    }

    /** Adds an amount that is not negative. */
    public void add(double amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("a counter cannot fall: " + amount);
        }
        sum.add(amount);
    }

    /** Makes the counter read {@code source}, which must not fall, whenever it is read. */
    public void from(DoubleSupplier source) {
        this.source = source;
    }

    /** Returns the present value. */
    public double value() {
        var from = source;
        return from != null ? from.getAsDouble() : sum.sum();
    }
}
