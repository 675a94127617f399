package lvms.k8s.election;

import lvms.k8s.client.Bodies;
import lvms.k8s.client.FakeServer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A server that keeps one Lease, and refuses a write that did not see the last one. */
public final class LeaseStore implements FakeServer.Script {
    private final List<String> writers = new ArrayList<>();
    private Optional<KubeObject> lease = Optional.empty();
    private String cutOff = "";
    private long lastWriteNanos;
    private long reads;
    private int failures;
    private int failureCode;

    @Override
    public synchronized void answer(FakeServer.Request request, FakeServer.Reply reply)
            throws IOException {
        if (request.method().equals("GET")) {
            reads++;
            if (lease.isPresent()) {
                reply.send(200, lease.get().toJson());
            } else {
                reply.send(404, Bodies.notFound("leases", "l"));
            }
            return;
        }
        if (failures > 0) {
            failures--;
            fail(reply);
            return;
        }
        write(KubeObject.of((ObjectTree) Json.parse(request.body())), reply);
    }

    private void fail(FakeServer.Reply reply) throws IOException {
        if (failureCode == 0) {
            reply.reset();
        } else {
            reply.send(failureCode, Bodies.status(failureCode, "Failure", "no"));
        }
    }

    /** From now on so many writes fail with this code; 0 is a cut connection. */
    public synchronized void failWrites(int number, int code) {
        failures = number;
        failureCode = code;
    }

    /** Returns whether writes work again. */
    public synchronized boolean works() {
        return failures == 0;
    }

    /** Takes a write whose answer somebody else gives. */
    public synchronized void take(FakeServer.Request request) {
        keep(KubeObject.of((ObjectTree) Json.parse(request.body())));
    }

    /** Deletes the Lease, as a person may. */
    public synchronized void delete() {
        lease = Optional.empty();
    }

    /** Returns how often it was read. */
    public synchronized long reads() {
        return reads;
    }

    private void write(KubeObject written, FakeServer.Reply reply) throws IOException {
        var writer = holder(written);
        if (!cutOff.isEmpty() && writer.equals(cutOff)) {
            reply.reset();
            return;
        }
        var seen = written.resourceVersion();
        if (!seen.equals(lease.map(KubeObject::resourceVersion).orElse(""))) {
            reply.send(409, Bodies.status(409, "Conflict", "the object has been modified"));
            return;
        }
        keep(written);
        reply.send(200, lease.orElseThrow().toJson());
    }

    private void keep(KubeObject written) {
        writers.add(holder(written));
        lease =
                Optional.of(
                        written.with(
                                Integer.toString(writers.size()), "metadata", "resourceVersion"));
        lastWriteNanos = System.nanoTime();
    }

    private static String holder(KubeObject lease) {
        return lease.text("spec", "holderIdentity").orElse("");
    }

    /** Makes somebody the holder. */
    public synchronized void heldBy(String holder, Duration duration, String renewTime) {
        var spec = ObjectTree.builder();
        spec.put("holderIdentity", holder);
        spec.put("leaseDurationSeconds", duration.toSeconds());
        spec.put("renewTime", renewTime);
        keep(KubeObject.create(Types.LEASE, ObjectKey.of("ns", "l")).with(spec.build(), "spec"));
    }

    /** From now on the connections of this writer are cut. */
    public synchronized void cutOff(String writer) {
        cutOff = writer;
    }

    /** Returns who has it; empty if nobody does. */
    public synchronized String holder() {
        return lease.map(LeaseStore::holder).orElse("");
    }

    /** Returns how often somebody wrote it. */
    public synchronized long writes(String writer) {
        return writers.stream().filter(writer::equals).count();
    }

    /** Returns when it was written last, on the monotonic clock. */
    public synchronized long lastWriteNanos() {
        return lastWriteNanos;
    }
}
