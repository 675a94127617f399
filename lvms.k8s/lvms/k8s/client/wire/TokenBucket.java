package lvms.k8s.client.wire;

import java.time.Duration;

/** A guard against runaway callers: a burst of requests, then a fixed number per second. */
public final class TokenBucket {
    private final double perNano;
    private final double burst;
    private double tokens;
    private long updatedNanos;

    public TokenBucket(double perSecond, double burst, long nowNanos) {
        this.perNano = perSecond / 1e9;
        this.burst = burst;
        this.tokens = burst;
        this.updatedNanos = nowNanos;
    }

    /** Takes one token and returns how long to wait before using it. */
    public synchronized Duration take(long nowNanos) {
        tokens = Math.min(burst, tokens + (nowNanos - updatedNanos) * perNano);
        updatedNanos = nowNanos;
        tokens -= 1;
        return tokens >= 0 ? Duration.ZERO : Duration.ofNanos((long) (-tokens / perNano));
    }

    /** Puts a token back that was taken and is not used. */
    public synchronized void giveBack() {
        tokens += 1;
    }
}
