package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A test that brings a type along can use it as soon as it is installed, every time. */
@Timeout(180)
class CustomTypesTests {
    private static final ResourceType SPROCKET =
            new ResourceType("example.com", "v2", "Sprocket", "sprockets", true);
    private static final ObjectKey DEFINITION = ObjectKey.cluster("sprockets.example.com");
    private static final ObjectKey HELD = ObjectKey.of("default", "held");
    private static final String FINALIZER = "example.com/held";

    /** The version that is not served comes first. */
    private static final String YAML =
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: sprockets.example.com
            spec:
              group: example.com
              scope: Namespaced
              names:
                kind: Sprocket
                plural: sprockets
              versions:
              - name: v1
                served: false
                storage: false
                schema:
                  openAPIV3Schema:
                    type: object
                    x-kubernetes-preserve-unknown-fields: true
              - name: v2
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    x-kubernetes-preserve-unknown-fields: true
            """;

    private ApiServer server;
    private KubeClient kube;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "tests").withFieldManager("tests");
    }

    @AfterEach
    void stop() throws Exception {
        kube.delete(Types.CRD, DEFINITION, DeleteOptions.any());
        kube.close();
        server.close();
    }

    @Test
    void anInstalledTypeIsServedInItsFirstServedVersion() throws Exception {
        assertEquals(List.of(SPROCKET), CustomTypes.install(kube, YAML));
        assertTrue(kube.list(SPROCKET, ListOptions.all()).items().isEmpty());
    }

    @Test
    void installingItAgainKeepsItsObjects() throws Exception {
        CustomTypes.install(kube, YAML);
        var made = kube.create(SPROCKET, KubeObject.create(SPROCKET, HELD));
        CustomTypes.install(kube, YAML);
        assertEquals(made.uid(), kube.get(SPROCKET, HELD).uid());
    }

    @Test
    void aDefinitionOnItsWayOutIsAwaitedAndInstalledAnew() throws Exception {
        CustomTypes.install(kube, YAML);
        var held = kube.create(SPROCKET, KubeObject.create(SPROCKET, HELD));
        held = kube.addFinalizer(SPROCKET, held, FINALIZER);
        var old = kube.get(Types.CRD, DEFINITION).uid();
        kube.delete(Types.CRD, DEFINITION, DeleteOptions.uid(old));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var again = threads.submit(() -> CustomTypes.install(kube, YAML));
            kube.removeFinalizer(SPROCKET, held, FINALIZER);
            assertEquals(List.of(SPROCKET), again.get(120, TimeUnit.SECONDS));
        }
        assertNotEquals(old, kube.get(Types.CRD, DEFINITION).uid());
        assertTrue(kube.list(SPROCKET, ListOptions.all()).items().isEmpty());
    }

    @Test
    void aRefusedDefinitionSaysWhy() {
        var failure =
                assertThrows(
                        ApiException.Invalid.class,
                        () ->
                                CustomTypes.install(
                                        kube,
                                        YAML.replace("scope: Namespaced", "scope: Galactic")));
        assertTrue(failure.getMessage().contains("spec.scope"), failure::getMessage);
    }

    @Test
    void aDefinitionThatServesNothingIsRefused() {
        var none = YAML.replace("served: true", "served: false");
        var failure =
                assertThrows(IllegalArgumentException.class, () -> CustomTypes.install(kube, none));
        assertEquals(
                "definition sprockets.example.com lacks a version that is served",
                failure.getMessage());
    }
}
