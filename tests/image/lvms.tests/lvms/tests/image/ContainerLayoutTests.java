package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

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

    private static List<String> texts(Tree array) {
        return StreamSupport.stream(array.asList().spliterator(), false).map(Tree::asText).toList();
    }

    private List<ObjectTree> descriptors() throws Exception {
        var all = new ArrayList<>(archive.layers());
        all.add(archive.manifest().at("config").asObject());
        all.add(archive.index().list("manifests").at(0).asObject());
        return all;
    }

    @Test
    void everyBlobHasItsDigestAndSizeAndNoneIsLeftOver() throws Exception {
        var named = new TreeSet<String>();
        for (var descriptor : descriptors()) {
            var blob = archive.blob(descriptor);
            assertEquals(Files.size(blob), descriptor.at("size").number().orElseThrow());
            try (var bytes = Files.newInputStream(blob)) {
                assertEquals(Archive.sha256(bytes), descriptor.at("digest").asText());
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
        assertEquals(texts(archive.config().at("rootfs", "diff_ids")), unpacked);
        assertEquals(3, archive.config().at("history").asList().size());
    }

    @Test
    void oldDockersManifestSaysTheSame() throws Exception {
        var docker = archive.json("manifest.json").asList().at(0).asObject();
        assertEquals(
                Archive.blobName(archive.manifest().at("config").asObject()),
                docker.at("Config").asText());
        assertEquals(
                archive.layers().stream().map(Archive::blobName).toList(),
                texts(docker.at("Layers")));
    }

    @Test
    void everyLoaderFindsTheReference() throws Exception {
        var descriptor = archive.index().list("manifests").at(0).asObject();
        var annotations = descriptor.at("annotations").asObject();
        var docker = archive.json("manifest.json").asList().at(0).asObject();
        var reference = texts(docker.at("RepoTags")).getFirst();
        assertTrue(reference.startsWith(REFERENCE), reference);
        assertEquals(reference, annotations.at("io.containerd.image.name").asText());
        assertEquals(reference, annotations.at("org.opencontainers.image.ref.name").asText());
        var manifests = Files.readString(Path.of("deploy/base/operator.yaml"));
        assertTrue(manifests.contains("image: " + reference + "\n"), reference);
    }

    @Test
    void theConfigurationStartsTheLauncherAndNamesItsVersion() throws Exception {
        var config = archive.config().at("config").asObject();
        assertEquals(List.of("/opt/lvms/bin/lvms"), texts(config.at("Entrypoint")));
        assertEquals("0", config.at("User").asText()); // TopoLVM's manifests name none
        var labels = config.at("Labels").asObject();
        for (var name : List.of("title", "description", "revision", "created", "licenses")) {
            assertTrue(labels.has("org.opencontainers.image." + name), name);
        }
        var reference = archive.json("manifest.json").toString();
        var version = labels.at("org.opencontainers.image.version").asText();
        assertTrue(reference.contains(REFERENCE + version + '"'), reference);
        assertEquals(archive.config().at("created"), labels.at("org.opencontainers.image.created"));
        assertEquals(
                Files.readString(Path.of("out/image.commit")).strip(),
                labels.at("org.opencontainers.image.revision").asText());
    }

    /** Its last stage repeats what the build writes into the archive. */
    @Test
    void theContainerfileSaysTheSame() throws Exception {
        var config = archive.config().at("config").asObject();
        var lines = Files.readAllLines(Path.of("Containerfile"));
        var stage = lines.subList(lines.lastIndexOf("FROM scratch"), lines.size());
        var entrypoint = String.join("\", \"", texts(config.at("Entrypoint")));
        assertTrue(stage.contains("ENTRYPOINT [\"" + entrypoint + "\"]"), stage::toString);
        assertTrue(stage.contains("USER " + config.at("User").asText()), stage::toString);
        assertTrue(stage.contains("WORKDIR " + config.at("WorkingDir").asText()), stage::toString);
        for (var variable : texts(config.at("Env"))) {
            assertTrue(stage.contains("ENV " + variable), stage::toString);
        }
    }
}
