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
final class LeaseStore implements FakeServer.Script {
    private final List<String> writers = new ArrayList<>();
    private Optional<KubeObject> lease = Optional.empty();
    private String cutOff = "";
    private long lastWriteNanos;

    @Override
    public synchronized void answer(FakeServer.Request request, FakeServer.Reply reply)
            throws IOException {
        if (request.method().equals("GET")) {
            if (lease.isPresent()) {
                reply.send(200, lease.get().toJson());
            } else {
                reply.send(404, Bodies.notFound("leases", "l"));
            }
            return;
        }
        write(KubeObject.of((ObjectTree) Json.parse(request.body())), reply);
    }

    private void write(KubeObject written, FakeServer.Reply reply) throws IOException {
        var writer = holder(written);
        if (writer.equals(cutOff)) {
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
    synchronized void heldBy(String holder, Duration duration, String renewTime) {
        var spec = ObjectTree.builder();
        spec.put("holderIdentity", holder);
        spec.put("leaseDurationSeconds", duration.toSeconds());
        spec.put("renewTime", renewTime);
        keep(KubeObject.create(Types.LEASE, ObjectKey.of("ns", "l")).with(spec.build(), "spec"));
    }

    /** From now on the connections of this writer are cut. */
    synchronized void cutOff(String writer) {
        cutOff = writer;
    }

    synchronized String holder() {
        return lease.map(LeaseStore::holder).orElse("");
    }

    synchronized long writes(String writer) {
        return writers.stream().filter(writer::equals).count();
    }

    synchronized long lastWriteNanos() {
        return lastWriteNanos;
    }
}
