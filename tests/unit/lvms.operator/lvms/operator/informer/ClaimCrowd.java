package lvms.operator.informer;

import lvms.api.Drivers;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.FakeServer.Reply;

import java.io.IOException;
import java.time.Duration;

/**
 * The operator's cache of claims beside a tenant who made 1,000 of another driver's, with 250 KiB
 * of annotations each. Says what the heap has before and after; ends with 1 if that is too much.
 */
public final class ClaimCrowd {
    private static final int CLAIMS = 1000;
    private static final long MOST_BYTES = 16L << 20;
    private static final String FILLER = "x".repeat(250 << 10);

    private ClaimCrowd() {}

    /** Runs it. */
    public static void main(String[] args) throws Exception {
        FakeServer.Script script =
                (request, reply) -> {
                    if (request.isStreamingList()) {
                        reply.send(422, "");
                    } else if (request.isWatch()) {
                        reply.stream().hold();
                    } else {
                        list(reply.stream());
                    }
                };
        try (var server = FakeServer.start(script);
                var client = server.client();
                var claims = OperatorInformers.of(client, Drivers.DEFAULT, "ns").claims()) {
            long before = live();
            claims.start();
            claims.awaitSync(Duration.ofSeconds(90));
            int count = claims.list().size();
            long more = live() - before;
            System.out.println("claims=" + count + " heap before=" + before + " more=" + more);
            System.exit(count == CLAIMS && more < MOST_BYTES ? 0 : 1);
        }
    }

    private static void list(Reply reply) throws IOException {
        reply.chunk(
                "{\"kind\":\"PersistentVolumeClaimList\",\"apiVersion\":\"v1\",\"metadata\":"
                        + "{\"resourceVersion\":\"9\"},\"items\":[");
        for (int i = 0; i < CLAIMS; i++) {
            reply.chunk((i == 0 ? "" : ",") + claim(i));
        }
        reply.chunk("]}").end();
    }

    private static String claim(int number) {
        return ("{\"metadata\":{\"name\":\"c%d\",\"namespace\":\"n\",\"uid\":\"u%d\","
                                + "\"resourceVersion\":\"%d\",")
                        .formatted(number, number, number + 1)
                + "\"annotations\":{\"volume.kubernetes.io/storage-provisioner\":\"others.io\","
                + "\"volume.example.com/filler\":\""
                + FILLER
                + "\"}},\"spec\":{\"storageClassName\":\"c\"},\"status\":{\"phase\":\"Pending\"}}";
    }

    private static long live() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
