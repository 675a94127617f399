package lvms.release;

import lvms.k8s.tree.ObjectTree;
import lvms.olm.Bundle;
import lvms.olm.Documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Writes a release into an empty folder. What it says of each part is in docs/release.md. */
final class Publication {
    static final String LVMS = "lvms";
    static final String GATHER = "lvms-must-gather";
    static final String BUNDLE = "lvms-bundle";
    static final String CHART = "charts/lvms";

    private final Release release;
    private final Inputs inputs;
    private final Path to;
    private final Path scratch;
    private final Tarball tar;

    /**
     * @param to the folder
     * @param scratch an empty folder beside it, for what is not kept
     */
    Publication(Release release, Inputs inputs, Path to, Path scratch) {
        this.release = release;
        this.inputs = inputs;
        this.to = to;
        this.scratch = scratch;
        tar = new Tarball(release.time());
    }

    /** Writes all of it; with a key it is signed. */
    void write(Optional<Signature> key) throws IOException {
        var images = open(inputs.images());
        var pins = pins();
        try (var layout = Layout.create(to.resolve("images"))) {
            var index = putImages(layout, images, pins);
            var pinned = release.pinned(LVMS, index);
            putBundle(layout, pinned, architectures(images));
            putChart(layout, index);
            var manifests = new Manifests(inputs.deploy(), inputs.image(), pinned);
            manifests.render(to.resolve("manifests"));
            manifests.pack(tar, scratch, to.resolve(named("lvms-deploy", ".tar.gz")));
            var references = String.join("\n", layout.references()) + "\n";
            Files.writeString(to.resolve("references.txt"), references);
        }
        putHosts(images);
        putPlugin();
        Folders.copy(inputs.maven(), to.resolve("maven"));
        putSources(pins);
        sign(key);
    }

    private String named(String name, String end) {
        return name + "-" + release.version() + end;
    }

    private static List<Image> open(List<Path> folders) throws IOException {
        var images = new ArrayList<Image>();
        for (var folder : folders) {
            images.add(Image.open(folder));
        }
        images.sort(Comparator.comparing(Image::architecture));
        return images;
    }

    private static List<String> architectures(List<Image> images) {
        return images.stream().map(Image::architecture).toList();
    }

    /** In the order of their files, not in that of the architectures' names in the command. */
    private List<Pin> pins() throws IOException {
        var pins = new ArrayList<>(Pin.jars(inputs.artifacts()));
        pins.addAll(Pin.debian(inputs.locks()));
        pins.sort(Comparator.comparing(Pin::place).reversed().thenComparing(Pin::file));
        return pins;
    }

    // --- The images, and what belongs to them.

    private Descriptor putImages(Layout layout, List<Image> images, List<Pin> pins)
            throws IOException {
        var index = putIndex(layout, LVMS, images);
        var gatherers = open(inputs.gatherers());
        var gather = putIndex(layout, GATHER, gatherers);
        var made = new ArrayList<Provenance.Subject>();
        made.add(new Provenance.Subject(release.repository(LVMS), index));
        made.add(new Provenance.Subject(release.repository(GATHER), gather));
        for (var image : images) {
            made.add(new Provenance.Subject(release.repository(LVMS), image.manifest()));
        }
        for (var image : gatherers) {
            made.add(new Provenance.Subject(release.repository(GATHER), image.manifest()));
        }
        var provenance =
                Layout.bytes(
                        new Provenance(release, architectures(images), inputs.aot(), pins)
                                .statement(made));
        Files.write(to.resolve(named("lvms", ".provenance.json")), provenance);
        attach(layout, LVMS, images, index, provenance);
        attach(layout, GATHER, gatherers, gather, provenance);
        return index;
    }

    private Descriptor putIndex(Layout layout, String name, List<Image> images) throws IOException {
        for (var image : images) {
            if (!image.labels()
                    .text("org.opencontainers.image.revision")
                    .equals(Optional.of(release.commit()))) {
                throw new IOException(image.folder() + " is not of commit " + release.commit());
            }
            image.copyInto(layout);
        }
        var index = layout.put(Image.index(images, ObjectTree.ofTexts(release.annotations(name))));
        layout.tag(release.tagged(name), index);
        return index;
    }

    private void attach(
            Layout layout, String name, List<Image> images, Descriptor index, byte[] provenance)
            throws IOException {
        var referrers = new Referrers(layout, release.repository(name));
        for (var image : images) {
            var bill = name.equals(GATHER) ? billBeside(image) : bill(image);
            var title = named(name, "-" + image.architecture() + ".cdx.json");
            Files.write(to.resolve(title), bill);
            referrers.attach(
                    image.manifest(), MediaType.CYCLONEDX, bill, release.annotations(title));
        }
        var title = named("lvms", ".provenance.json");
        referrers.attach(index, MediaType.IN_TOTO, provenance, release.annotations(title));
        referrers.tagAll();
    }

    /** The image has its bill of materials itself. */
    private byte[] bill(Image image) throws IOException {
        var path = "." + inputs.prefix() + "/lvms.cdx.json";
        var layers = image.layersWith(path);
        if (layers.isEmpty()) {
            throw new IOException(image.folder() + " has no bill of materials");
        }
        return Tarball.read(layers.getLast(), path);
    }

    /** The one in it is that of lvms, which has fewer packages. */
    private static byte[] billBeside(Image image) throws IOException {
        return Files.readAllBytes(image.folder().resolve("bill.cdx.json"));
    }

    // --- What names the image.

    private void putBundle(Layout layout, String pinned, List<String> architectures)
            throws IOException {
        var plan =
                lvms.olm.Release.of(release.version(), pinned)
                        .withBundleImage(release.tagged(BUNDLE))
                        .withArchitectures(architectures);
        var bundle = Bundle.of(inputs.deploy(), plan);
        var folder = to.resolve("olm");
        Documents.write(Documents.of(bundle), folder);
        var image =
                new BundleImage(folder.resolve("bundle"), bundle.annotations())
                        .putInto(layout, release, tar, scratch);
        layout.tag(release.tagged(BUNDLE), image);
        var catalogued = plan.withBundleImage(release.pinned(BUNDLE, image));
        Documents.write(Documents.of(Bundle.of(inputs.deploy(), catalogued)), folder);
    }

    private void putChart(Layout layout, Descriptor image) throws IOException {
        var copy = scratch.resolve("chart").resolve(inputs.chart().getFileName());
        Folders.copy(inputs.chart(), Files.createDirectories(copy));
        var chart = new Chart(copy);
        chart.use(release.repository(LVMS), release.version() + "@" + image.digest());
        var archive = to.resolve(named("lvms", ".tgz"));
        chart.pack(tar, archive);
        layout.tag(release.tagged(CHART), chart.putInto(layout, archive, release));
        Folders.remove(scratch.resolve("chart"));
    }

    // --- Files.

    private void putHosts(List<Image> images) throws IOException {
        var host =
                new HostArchive(
                        inputs.prefix(),
                        inputs.deploy().resolve("host/lvmd.service"),
                        inputs.licence());
        for (var image : images) {
            var name = named("lvms", "-linux-" + image.architecture() + ".tar.gz");
            host.pack(image, tar, scratch, to.resolve(name));
        }
    }

    private void putPlugin() throws IOException {
        var folder = Files.createDirectory(scratch.resolve("plugin"));
        Files.copy(inputs.deploy().resolve("plugin/kubectl-lvms"), folder.resolve("kubectl-lvms"));
        folder.resolve("kubectl-lvms").toFile().setExecutable(true, false);
        Files.copy(inputs.licence(), folder.resolve("LICENSE"));
        var name = named("kubectl-lvms", ".tar.gz");
        tar.pack(folder, to.resolve(name), "kubectl-lvms", "LICENSE");
        Folders.remove(folder);
        var manifest = Krew.manifest(release, name, Sum.of(to.resolve(name)));
        Files.writeString(Files.createDirectory(to.resolve("krew")).resolve("lvms.yaml"), manifest);
    }

    private void putSources(List<Pin> pins) throws IOException {
        var sources = to.resolve("sources");
        for (var pin : pins) {
            var from = pin.place().equals(Pin.JARS) ? inputs.jars() : inputs.debian();
            var copy = Files.createDirectories(sources.resolve(pin.place())).resolve(pin.file());
            Files.copy(from.resolve(pin.file()), copy);
            if (!Sum.of(copy).equals(pin.sha256())) {
                throw new IOException(from.resolve(pin.file()) + " is not the file that is pinned");
            }
        }
        Files.copy(inputs.archive(), sources.resolve(inputs.archive().getFileName()));
    }

    private void sign(Optional<Signature> key) throws IOException {
        var sums = Sums.of(to);
        Files.writeString(to.resolve(Sums.FILE), sums);
        if (key.isPresent()) {
            var text = Files.readAllBytes(to.resolve(Sums.FILE));
            Files.write(to.resolve(Sums.SIGNATURE), key.get().of(text));
        }
    }
}
