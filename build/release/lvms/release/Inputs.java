package lvms.release;

import java.nio.file.Path;
import java.util.List;

/**
 * Where the parts of a release are, which other targets of the build made.
 *
 * @param images unpacked, one folder for each architecture
 * @param gatherers the same of the image for must-gather, each with its {@code bill.cdx.json}
 * @param tree root of the sources
 * @param chart unpacked
 * @param maven the Maven repository
 * @param jars folder with the pinned jars and tools
 * @param debian folder with the pinned Debian packages
 * @param locks the pins of Debian packages
 * @param archive the sources, packed
 * @param prefix where the image has lvms
 * @param image reference that the sources name
 * @param aot whether the images have AOT caches
 */
record Inputs(
        List<Path> images,
        List<Path> gatherers,
        Path tree,
        Path chart,
        Path maven,
        Path jars,
        Path debian,
        List<Path> locks,
        Path archive,
        String prefix,
        String image,
        boolean aot) {
    Inputs {
        images = List.copyOf(images);
        gatherers = List.copyOf(gatherers);
        locks = List.copyOf(locks);
    }

    Path deploy() {
        return tree.resolve("deploy");
    }

    Path licence() {
        return tree.resolve("LICENSE");
    }

    Path artifacts() {
        return tree.resolve("build/artifacts.tsv");
    }
}
