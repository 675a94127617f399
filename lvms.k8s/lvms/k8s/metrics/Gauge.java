package lvms.k8s.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/** A number that rises and falls. Any thread may use it. */
public final class Gauge {
    private final AtomicLong bits = new AtomicLong(); // 0L is also the bits of 0.0
    private volatile DoubleSupplier source;

    Gauge() {}

    public void set(double value) {
        bits.set(Double.doubleToLongBits(value));
    }

    /** Adds an amount, which may be negative. */
    public void add(double amount) {
        bits.updateAndGet(b -> Double.doubleToLongBits(Double.longBitsToDouble(b) + amount));
    }

    /** Makes the gauge read {@code source} whenever it is read. */
    public void from(DoubleSupplier source) {
        this.source = source;
    }

    /** Returns the present value. */
    public double value() {
        var from = source;
        return from != null ? from.getAsDouble() : Double.longBitsToDouble(bits.get());
    }
}
