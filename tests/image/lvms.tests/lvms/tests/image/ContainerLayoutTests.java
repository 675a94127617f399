package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;

/** The container image is a whole OCI image layout, which old docker can load too. */
class ContainerLayoutTests {
    private static final String REFERENCE = "localhost/lvms:";

    @TempDir private Path scratch;
    private Archive archive;

    @BeforeEach
    void open() throws Exception {
        archive = new Archive(scratch);
    }

    private static List<String> texts(JsonElement array) {
        return StreamSupport.stream(array.getAsJsonArray().spliterator(), false)
                .map(JsonElement::getAsString)
                .toList();
    }

    private List<JsonObject> descriptors() throws Exception {
        var all = new ArrayList<>(archive.layers());
        all.add(archive.manifest().getAsJsonObject("config"));
        all.add(archive.index().getAsJsonArray("manifests").get(0).getAsJsonObject());
        return all;
    }

    @Test
    void everyBlobHasItsDigestAndSizeAndNoneIsLeftOver() throws Exception {
        var named = new TreeSet<String>();
        for (var descriptor : descriptors()) {
            var blob = archive.blob(descriptor);
            assertEquals(Files.size(blob), descriptor.get("size").getAsLong());
            try (var bytes = Files.newInputStream(blob)) {
                assertEquals(Archive.sha256(bytes), descriptor.get("digest").getAsString());
            }
            named.add(Archive.blobName(descriptor));
        }
        assertEquals(archive.blobNames(), List.copyOf(named));
    }

    @Test
    void theLayersUnpackedAreThoseOfTheConfiguration() throws Exception {
        var unpacked = new ArrayList<String>();
        for (var layer : archive.layers()) {
            try (var bytes = new GZIPInputStream(Files.newInputStream(archive.blob(layer)))) {
                unpacked.add(Archive.sha256(bytes));
            }
        }
        assertEquals(3, unpacked.size());
        assertEquals(texts(archive.config().getAsJsonObject("rootfs").get("diff_ids")), unpacked);
        assertEquals(3, archive.config().getAsJsonArray("history").size());
    }

    @Test
    void oldDockersManifestSaysTheSame() throws Exception {
        var docker = archive.json("manifest.json").getAsJsonArray().get(0).getAsJsonObject();
        assertEquals(
                Archive.blobName(archive.manifest().getAsJsonObject("config")),
                docker.get("Config").getAsString());
        assertEquals(
                archive.layers().stream().map(Archive::blobName).toList(),
                texts(docker.get("Layers")));
    }

    @Test
    void everyLoaderFindsTheReference() throws Exception {
        var descriptor = archive.index().getAsJsonArray("manifests").get(0).getAsJsonObject();
        var annotations = descriptor.getAsJsonObject("annotations");
        var docker = archive.json("manifest.json").getAsJsonArray().get(0).getAsJsonObject();
        var reference = texts(docker.get("RepoTags")).getFirst();
        assertTrue(reference.startsWith(REFERENCE), reference);
        assertEquals(reference, annotations.get("io.containerd.image.name").getAsString());
        assertEquals(reference, annotations.get("org.opencontainers.image.ref.name").getAsString());
        var manifests = Files.readString(Path.of("deploy/operator.yaml"));
        assertTrue(manifests.contains("image: " + reference + "\n"), reference);
    }

    @Test
    void theConfigurationStartsTheLauncherAndNamesItsVersion() throws Exception {
        var config = archive.config().getAsJsonObject("config");
        assertEquals(List.of("/opt/lvms/bin/lvms"), texts(config.get("Entrypoint")));
        var labels = config.getAsJsonObject("Labels");
        for (var name : List.of("title", "description", "revision", "created", "licenses")) {
            assertTrue(labels.has("org.opencontainers.image." + name), name);
        }
        var reference = archive.json("manifest.json").toString();
        var version = labels.get("org.opencontainers.image.version").getAsString();
        assertTrue(reference.contains(REFERENCE + version + '"'), reference);
        assertEquals(
                archive.config().get("created"), labels.get("org.opencontainers.image.created"));
    }
}
