package lvms.k8s.metrics;

import java.util.concurrent.atomic.DoubleAdder;

/** A number that only rises. Any thread may use it. */
public final class Counter {
    private final DoubleAdder sum = new DoubleAdder();

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

    /** Returns the present value. */
    public double value() {
        return sum.sum();
    }
}
