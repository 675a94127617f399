package lvms.k8s.informer;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.object;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The answer to a write is taken into the store of its own type alone. */
class ObservedTypeTests extends InformerCase {
    @Test
    void anAnswerAboutAnotherTypeIsIgnored() throws Exception {
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1, configMap("a", "u", 1))),
                        (_, _, reply) -> reply.stream().hold());
        awaitContents("au1", informer);
        informer.observed(object("a", "u", 99).with("Secret", "kind"));
        informer.observed(object("b", "v", 99).with("v2", "apiVersion"));
        assertEquals("au1", contents(informer));
        informer.observed(object("a", "u", 5));
        assertEquals("au5", contents(informer));
        assertEquals(List.of("->au1", "au1>au5"), seen);
    }
}
